import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../toolchain.mjs'

/** A platform on Cloudflare, and the clone of the project that deploys it. */
export interface Installation {
  /** The clone, whose wrangler.toml names the installation. */
  readonly project: string
  /** Added to the environment of each command: the account's token, and `CLOUDFLARE_ENV` for staging. */
  readonly environment: Readonly<Record<string, string>>
  /** For backups and keys. Only the person who rehearses may read it. */
  readonly folder: string
  /** The npm commands that ran, in order, and how long each took. */
  readonly commands: { readonly command: string; readonly seconds: number }[]
}

/** A command that failed, with all that it printed. */
class CommandFailed extends Error {
  readonly output: string
  constructor(command: string, output: string) {
    super(`npm run ${command} failed:\n${output}`)
    this.output = output
  }
}

/**
 * Runs an npm script of the clone as its operator would, without npm itself, which takes half a second.
 *
 * @param input the text that the operator types or pipes into it
 * @returns all that it printed. Throws `CommandFailed` if it fails.
 */
export async function runScript(
  { project, environment: settings, commands }: Installation,
  name: string,
  parameters: readonly string[] = [],
  input = '',
): Promise<string> {
  const command = [name, ...(parameters.length > 0 ? ['--', ...parameters] : [])].join(' ')
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const [program, ...words] = String(scripts[name]).split(' ')
  if (program !== 'node') throw new Error(`package.json has no script ${name} that Node runs.`)
  const startMs = performance.now()
  const child = spawn(process.execPath, [...words, ...parameters], {
    cwd: project,
    env: { ...environment, CI: '1', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  commands.push({ command, seconds: (performance.now() - startMs) / 1000 })
  if (code !== 0) throw new CommandFailed(command, output)
  return output
}

/** Runs a script that is expected to fail, and returns its output. Throws if it succeeds. */
export async function runFailing(
  installation: Installation,
  name: string,
  parameters: readonly string[] = [],
): Promise<string> {
  const output = await runScript(installation, name, parameters).catch((error: unknown) => {
    if (error instanceof CommandFailed) return error
    throw error
  })
  if (output instanceof CommandFailed) return output.output
  throw new Error(`npm run ${name} was expected to fail, and printed:\n${output}`)
}

/** Changes wrangler.toml, as its operator would. Throws if the text to replace is not there. */
export function updateSettings({ project }: Installation, pattern: RegExp, replacement: string): void {
  const path = join(project, 'wrangler.toml')
  const text = readFileSync(path, 'utf8')
  if (!pattern.test(text)) throw new Error(`wrangler.toml has no ${pattern}.`)
  writeFileSync(path, text.replace(pattern, replacement))
}

/** Sets a value at the top of wrangler.toml, where it may be absent or a comment. */
export function setSetting(installation: Installation, key: string, value: string): void {
  const line = new RegExp(`^(?:# *)?${key} = .*$`, 'm')
  const isThere = line.test(readFileSync(join(installation.project, 'wrangler.toml'), 'utf8'))
  if (isThere) updateSettings(installation, line, `${key} = ${value}`)
  else updateSettings(installation, /^(main = .*)$/m, `$1\n${key} = ${value}`)
}
