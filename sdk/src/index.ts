export { type CallOptions, type Client, type ClientOptions, createClient, RequestFailed } from './client.ts'
