import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Installation, setSetting, updateSettings } from '../../../scripts/rehearse/installation.ts'
import { root, testDataDirectory } from '../../../scripts/toolchain.mjs'
import { ACCOUNT, type Cloudflare } from './server.ts'

/** What an operator changes, or what depends on the folder. All else is linked. */
const COPIED = ['scripts', 'migrations', 'src', 'package.json', 'wrangler.toml']
const LINKED = ['node_modules', 'worker', 'engine', 'data', 'tsconfig.json']

/** The address of the rehearsed site. */
export const HOST = 'invest.rehearsal.internal'

/** The subject of the clone's commit. */
export const COMMIT = 'Rehearse a deploy'

const REHEARSED_WORKER = `import { DurableObject } from 'cloudflare:workers'
export class VenueAccount extends DurableObject {}
export default { fetch: () => new Response('Rehearsal') }
`

/** Puts a Worker of one line in place of the real one, whose bundle takes seconds: later deploys are about Cloudflare alone. */
export function simplifyWorker(installation: Installation): void {
  updateSettings(installation, /^main = .*$/m, 'main = "rehearsed.ts"')
}

/** A clone of the project that deploys to a stand-in, with a site of one page and the settings that the page tells to fill in first. */
export function cloneProject({ environment }: Cloudflare): Installation & { remove(): void } {
  const place = mkdtempSync(join(testDataDirectory(), 'platform-rehearsal-'))
  const project = join(place, 'project')
  const folder = join(place, 'backups')
  for (const path of [project, folder, join(project, 'dist')]) mkdirSync(path)
  for (const name of COPIED) cpSync(join(root, name), join(project, name), { recursive: true })
  for (const name of LINKED) symlinkSync(join(root, name), join(project, name))
  writeFileSync(join(project, 'dist/index.html'), '<!doctype html><title>Rehearsal</title>')
  writeFileSync(join(project, 'rehearsed.ts'), REHEARSED_WORKER)
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: project, stdio: 'pipe' })
  git('init', '--quiet')
  git(
    '-c',
    'user.name=Rehearsal',
    '-c',
    'user.email=rehearsal@example.org',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    COMMIT,
  )
  const site = join(project, 'src/content/site.json')
  writeFileSync(
    site,
    JSON.stringify({ ...JSON.parse(readFileSync(site, 'utf8')), origin: `https://${HOST}` }),
  )
  const installation: Installation = {
    project,
    folder,
    commands: [],
    environment: {
      ...environment,
      // Wrangler remembers there which account was chosen.
      WRANGLER_CACHE_DIR: join(place, 'wrangler'),
    },
  }
  // The tests call the Worker by it, whatever the site's own name is.
  setSetting(installation, 'name', '"evenkeel"')
  setSetting(installation, 'account_id', `"${ACCOUNT.id}"`)
  setSetting(installation, 'workers_dev', 'false')
  setSetting(installation, 'preview_urls', 'false')
  setSetting(installation, 'routes', `[{ pattern = "${HOST}", custom_domain = true }]`)
  setSetting(installation, 'PUBLIC_ORIGIN', `"https://${HOST}"`)
  return { ...installation, remove: () => rmSync(place, { recursive: true, force: true }) }
}
