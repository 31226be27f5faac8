import { testServers } from './testing/server-suite.ts'

testServers(1)
