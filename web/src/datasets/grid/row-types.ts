import type { Output } from '../../app/api.ts'

export type Dataset = Output<'datasets.list'>['datasets'][number]
export type Column = Dataset['columns'][number]
export type StoredRow = Output<'datasets.rows'>['rows'][number]
