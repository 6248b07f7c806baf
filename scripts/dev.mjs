// `npm run dev`: Astro's development server and the Worker, which reloads when its sources change, at one address.
// PORT, STATE_DIR and RATE_LIMITS as for `npm start`.
import { join } from 'node:path'
import { freePort } from './ports.mjs'
import { root, start } from './toolchain.mjs'

const port = process.env.PORT || '8787'
const workerPort = String(await freePort())

const children = [
  start('node', [join(root, 'scripts/start.mjs'), '--watch', '--origin', `http://localhost:${port}`], {
    PORT: workerPort,
  }),
  start('astro', ['dev', '--port', port], { API_ORIGIN: `http://127.0.0.1:${workerPort}` }),
]
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, end)
for (const child of children) child.once('exit', end)

function end() {
  for (const child of children) child.kill('SIGTERM')
}
