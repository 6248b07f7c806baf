// `npm run dev`: Astro's development server and the Worker, which reloads when its sources change, at one address.
// PORT, STATE_DIR and RATE_LIMITS as for `npm start`. After each change of a file in src/content it says which page shows it.
import { readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFreePort } from './ports.mjs'
import { root, start } from './toolchain.mjs'

const port = process.env.PORT || '8787'
const workerPort = String(await findFreePort())

const children = [
  start('node', [join(root, 'scripts/start.mjs'), '--watch', '--origin', `http://localhost:${port}`], {
    PORT: workerPort,
  }),
  start('astro', ['dev', '--port', port], { API_ORIGIN: `http://127.0.0.1:${workerPort}` }),
]
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, end)
for (const child of children) child.once('exit', end)

const content = join(root, 'src/content')
watch(content, { recursive: true }, (_, file) => {
  if (!file || !/\.(?:yaml|mdx)$/.test(file)) return
  const [, pages] = /^Shown on: (.+)$/m.exec(readReadme(dirname(file))) ?? []
  if (pages) console.info(`src/content/${file} is shown on ${pages}, at http://localhost:${port}`)
})

/** @param {string} folder of src/content */
function readReadme(folder) {
  try {
    return readFileSync(join(content, folder, 'README.md'), 'utf8')
  } catch {
    return ''
  }
}

function end() {
  for (const child of children) child.kill('SIGTERM')
}
