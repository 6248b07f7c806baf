// Reads per second, and the database's share: an answer without the database, with one round trip (health), and with one that also
// looks up the session. `node bench/throughput.mjs [seconds]`
import { measure, print, signIn, startPlatform } from './platform.mjs'

const seconds = Number(process.argv[2] ?? 10)
const platform = await startPlatform('worker/dev/index.ts')
const headers = { Authorization: `Bearer ${await signIn(platform.address, 'investor@example.com')}` }

const rows = {}
for (const [method, path, name] of [
  ['OPTIONS', '/health', 'OPTIONS: none'],
  ['GET', '/health', 'health: one'],
  ['GET', '/users/user-info', 'user-info: one'],
  ['GET', '/transaction-history', 'first history page: one'],
]) {
  rows[name] = await measure(platform, { seconds, atOnce: 32 }, () =>
    fetch(`${platform.address}/api/v1${path}`, { method, headers }),
  )
}
await platform.stop()
print(rows)
