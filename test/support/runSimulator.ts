import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Plays a seed as `npm run simulate` does. Returns what it prints, line by line. */
export async function runSimulator(...options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'test/commands/simulate.mjs'), ...options],
    { cwd: root },
  )
  return stdout.trim().split('\n')
}
