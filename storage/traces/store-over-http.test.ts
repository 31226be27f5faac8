/** Two servers take the same way as one: that alone is in the slow group. */
import { testServers } from './testing/server-suite.ts'

testServers(2)
