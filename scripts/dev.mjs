// `npm run dev`: the pages as Astro serves them while they are edited, and the Worker reloading with its sources,
// at one address. PORT, STATE_DIR and RATE_LIMITS as for `npm start`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from './ports.mjs'
import { environment, program, root } from './toolchain.mjs'

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

/** @param {string} name @param {string[]} parameters @param {Record<string, string>} settings */
function start(name, parameters, settings) {
  return spawn(program(name), parameters, {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function end() {
  for (const child of children) child.kill('SIGTERM')
}
