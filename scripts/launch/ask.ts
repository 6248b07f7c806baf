import { run } from '../toolchain.mjs'
import type { Ask } from './facts.ts'

/** Asks the database that wrangler means by `where`. */
export function askWrangler(where: readonly string[]): Ask {
  return async (queries) => {
    const command = queries.join(';\n')
    const output = await run('wrangler', ['d1', 'execute', 'DB', ...where, '--json', '--command', command])
    const answers: { results: Record<string, unknown>[] }[] = JSON.parse(output.slice(output.indexOf('[')))
    return answers.map(({ results }) => results)
  }
}

/** The names of the deployed Worker's secrets; none where there is no Worker yet. */
export async function secretNames(): Promise<string[]> {
  const output = await run('wrangler', ['secret', 'list', '--format', 'json']).catch(() => '[]')
  const secrets: { name: string }[] = JSON.parse(output.slice(output.indexOf('[')))
  return secrets.map(({ name }) => name)
}
