import type { Sql } from './store/sql.ts'

/** A database's own description of its tables, in an order that does not depend on how they were created. */
export function catalogOf(engine: string, sql: Sql): Promise<Record<string, unknown>> {
  return engine === 'SQLite' ? sqliteCatalog(sql) : postgresCatalog(sql)
}

async function sqliteCatalog(sql: Sql): Promise<Record<string, unknown>> {
  const columns = await sql`
    SELECT t.name AS "table", c.name, c.type, c."notnull", c.dflt_value, c.pk
    FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name <> 'control_migrations' ORDER BY t.name, c.name`
  const indexes = await sql`
    SELECT t.name AS "table", i."unique", i.origin, i.partial, group_concat(k.name) AS columns
    FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_info(i.name) k
    WHERE t.type = 'table' AND t.name <> 'control_migrations'
    GROUP BY t.name, i.name, i."unique", i.origin, i.partial ORDER BY 1, 5`
  const references = await sql`
    SELECT t.name AS "table", f."table" AS target, f."from", f."to", f.on_delete, f.on_update
    FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' ORDER BY 1, 2, 3`
  const triggers =
    await sql`SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`
  return { columns, indexes, references, triggers }
}

async function postgresCatalog(sql: Sql): Promise<Record<string, unknown>> {
  const columns = await sql`
    SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> 'control_migrations' ORDER BY table_name, column_name`
  const indexes = await sql`
    SELECT indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND tablename <> 'control_migrations' ORDER BY indexdef`
  const constraints = await sql`
    SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'control_migrations'
    ORDER BY 1, 2`
  const triggers = await sql`
    SELECT t.tgname, pg_get_triggerdef(t.oid) AS definition, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal ORDER BY 1, 2`
  return { columns, indexes, constraints, triggers }
}
