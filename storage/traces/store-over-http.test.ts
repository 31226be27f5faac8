/** Two servers run the same code as one: a single server is tested in the slow group only. */
import { testServers } from './testing/server-suite.ts'

testServers(2)
