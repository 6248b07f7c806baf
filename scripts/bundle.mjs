// Bundles a Worker with wrangler, so that miniflare can run it without wrangler. Wrangler takes seconds to load and to bundle, and its
// proxies slow down each request. `node scripts/bundle.mjs <folder>` writes miniflare's options into the folder of a bundle.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashMigrations } from './backup/manifest.ts'
import { isMain, root, run, runCommand } from './toolchain.mjs'

/** @typedef {{ type: 'CompiledWasm' | 'ESModule', path: string, contents: Buffer }} Module */

/**
 * Bundles an entry as for a deploy.
 *
 * @param {string} entry relative to the root
 * @param {string} directory gets the modules, and the options for `loadBundle`
 * @param {{ minify?: boolean }} [options] `minify` as a deploy does; without it stack traces are readable
 */
export async function bundle(entry, directory, { minify = false } = {}) {
  mkdirSync(join(directory, NO_SITE), { recursive: true })
  await Promise.all([
    run('wrangler', [
      ...['deploy', entry, '--dry-run', minify ? '--minify' : '--no-minify'],
      ...['--outdir', directory],
      ...(await listDefinitions()),
      ...['--assets', join(directory, NO_SITE)],
    ]),
    run('node', ['scripts/bundle.mjs', directory]),
  ])
}

/** Wrangler's options that define the constants of the Worker. */
export async function listDefinitions() {
  return ['--define', `SCHEMA_HASH:"${await hashMigrations()}"`]
}

/**
 * The options with which miniflare runs a bundle as wrangler would. They contain the variables of wrangler.toml, and no secrets.
 *
 * @param {string} directory
 * @param {string} [siteDirectory] where its assets are; none without it
 * @returns {import('miniflare').V4WorkerOptions & { modules: Module[], modulesRoot: string }}
 */
export function loadBundle(directory, siteDirectory = join(directory, NO_SITE)) {
  const options = JSON.parse(readFileSync(join(directory, OPTIONS), 'utf8'))
  return {
    ...options,
    assets: { ...options.assets, directory: siteDirectory },
    modulesRoot: directory,
    modules: readModules(directory),
  }
}

const OPTIONS = 'miniflare.json'
/** An empty folder: wrangler needs one to say how assets are served. */
const NO_SITE = 'no-site'

/** @param {string} directory */
async function writeOptions(directory) {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import('wrangler')
  const config = unstable_readConfig({ config: join(root, 'wrangler.toml') })
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config, undefined, {
    overrides: { assets: { directory: join(directory, NO_SITE) } },
  })
  const options = {
    ...workerOptions,
    name: config.name,
    // wrangler adds secrets of the environment and of .dev.vars.
    bindings: config.vars,
    // A copied clone is elsewhere.
    rootPath: undefined,
  }
  writeFileSync(join(directory, OPTIONS), JSON.stringify(options))
}

/**
 * The modules of a bundle, the entry first.
 *
 * @param {string} directory
 * @returns {Module[]}
 */
export function readModules(directory) {
  const names = readdirSync(directory).filter((name) => /\.(?:js|wasm)$/.test(name))
  return names
    .sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((name) => ({
      type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: join(directory, name),
      contents: readFileSync(join(directory, name)),
    }))
}

if (isMain(import.meta.url)) await runCommand(() => writeOptions(process.argv[2] ?? ''))
