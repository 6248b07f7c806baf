// What the Worker's start costs: processor time of workerd from its beginning to the first answer, side by side with an empty
// Worker's. `node test/bench/startup.mjs [runs] [folder of another bundle…]`
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundle, loadBundle, readModules } from '../../scripts/bundle.mjs'
import { print } from './platform.mjs'

const RUNS = Number(process.argv[2] ?? 9)
const TARGET = 9

const { default: workerd } = createRequire(import.meta.url)('workerd')
const directory = mkdtempSync(join(tmpdir(), 'platform-startup-'))
const folder = join(directory, 'bundle')
await bundle('worker/index.ts', folder, { minify: true })
const { compatibilityDate, compatibilityFlags, modules } = loadBundle(folder)
writeFileSync(join(directory, 'empty.js'), 'export default { fetch: () => new Response() }')

/** @type {[name: string, modules: { path: string, type: string }[]][]} */
const workers = [
  ['empty Worker', [{ path: join(directory, 'empty.js'), type: 'ESModule' }]],
  ['this Worker', modules],
  ...process.argv
    .slice(3)
    .map((other) => /** @type {[string, { path: string, type: string }[]]} */ ([other, readModules(other)])),
]
/** @type {Map<string, number[]>} */
const costs = new Map(workers.map(([name]) => [name, []]))
// Alternates, so that other load on the machine affects all.
for (let run = 0; run < RUNS; run++)
  for (const [name, parts] of workers) costs.get(name)?.push(await measureStart(parts))
rmSync(directory, { recursive: true, force: true })

/** The lowest: a busy machine only adds. @param {string} name */
const lowest = (name) => Math.min(...(costs.get(name) ?? []))
print(
  Object.fromEntries(
    workers.map(([name]) => [
      name,
      { 'lowest ms': lowest(name), 'times an empty one': lowest(name) / lowest('empty Worker') },
    ]),
  ),
)
const times = lowest('this Worker') / lowest('empty Worker')
console.log(
  `${times.toFixed(1)} times an empty Worker's start; at most ${TARGET}: ${times <= TARGET ? 'met' : 'MISSED'}.`,
)
process.exitCode = times <= TARGET ? 0 : 1

/** Milliseconds of processor time until the first answer. @param {{ path: string, type: string }[]} parts */
async function measureStart(parts) {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const kinds = { CompiledWasm: 'wasm', ESModule: 'esModule' }
  const embedded = parts.map(
    ({ path, type }) =>
      `(name = "${basename(path)}", ${kinds[/** @type {keyof typeof kinds} */ (type)]} = embed "${relative(directory, path)}")`,
  )
  const config = join(directory, 'config.capnp')
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [${embedded.join(', ')}],
    compatibilityDate = "${compatibilityDate}",
    compatibilityFlags = ${JSON.stringify(compatibilityFlags)},
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  )
  const child = spawn(workerd, ['serve', config], { stdio: 'ignore' })
  try {
    for (let tries = 0; tries < 1000; tries++) {
      const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
      if (response) return cpuMs(child.pid ?? 0)
      await wait(20)
    }
    throw new Error('workerd does not answer')
  } finally {
    child.kill('SIGKILL')
  }
}

/** Processor time of all threads. @param {number} pid */
function cpuMs(pid) {
  return readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, ms) => sum + ms, 0)
}
