import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../scripts/backup/tables.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const handbook = read('docs/operations.md')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** What stands in the handbook in this form, once each. */
function named(pattern: RegExp, text = handbook): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
}

/** Method and path of each endpoint of the contract, as they stand in its sources. */
function endpoints(): Set<string> {
  const files = readdirSync(join(root, 'src/contract'), { recursive: true, encoding: 'utf8' })
  return new Set(
    files
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...read(`src/contract/${name}`).matchAll(/endpoint\(\s*'([A-Z]+)',\s+'([^']+)'/g)])
      .map(([, method, path]) => `${method} /api/v1${path}`),
  )
}

describe('the operators’ handbook', () => {
  it('names no command of npm that is not there', () => {
    const commands = named(/npm (?:run )?([a-z][a-z:-]*)/g)
    expect(commands.length).toBeGreaterThan(5)
    expect(commands.filter((name) => !(name in scripts))).toEqual([])
  })

  it('gives commands no option that they do not take', () => {
    const uses = [
      ...handbook.matchAll(/npm run (backup|restore|launch-check|rotate-keys|deploy) -- ([^\n`]*)/g),
    ]
    expect(uses.length).toBeGreaterThan(6)
    for (const [, name = '', given = ''] of uses)
      for (const [, option = ''] of given.replace(/ #.*$/, '').matchAll(/--([a-z0-9-]+)/g))
        expect([name, read(`scripts/${name}.mjs`)]).toEqual([
          name,
          expect.stringMatching(new RegExp(`'?${option}'?: \\{ type`)),
        ])
  })

  it('links to no file, and names none, that is not there', () => {
    const links = named(/\]\(([^)#:]+)(?:#[^)]*)?\)/g).map((path) => join('docs', path))
    const files = named(/`((?:src|scripts|test|docs|worker)\/[^`]+\.[a-z]+|[a-z]+\.toml)`/g)
    expect(links.length).toBeGreaterThan(4)
    expect(files.length).toBeGreaterThan(3)
    expect([...links, ...files].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('links to no section that is not there', () => {
    const sections = named(/^#+ (.+)$/gm).map((title) => title.toLowerCase().replaceAll(' ', '-'))
    const links = named(/\]\(#([^)]+)\)/g)
    expect(links.length).toBeGreaterThan(8)
    expect(links.filter((link) => !sections.includes(link))).toEqual([])
  })

  it('names no call of the API that is not in the contract', () => {
    const calls = named(/`((?:GET|POST|PATCH|DELETE) \/api\/v1\/[^`]+)`/g)
    const known = endpoints()
    expect(calls.length).toBeGreaterThan(6)
    expect(calls.filter((call) => !known.has(call))).toEqual([])
  })

  it('asks the database nothing that it does not know', () => {
    const queries = named(/--command "([^"]+)"/g)
    expect(queries.length).toBeGreaterThan(4)
    const database = freshDatabase()
    for (const query of queries) expect(() => database.exec(query), query).not.toThrow()
  })

  it('is where the launch check sends whoever reads it', () => {
    const sent = named(/docs\/operations\.md, "([^"]+)"/g, read('scripts/launch/checks.ts'))
    const titles = named(/^#+ (.+)$/gm)
    expect(sent.length).toBeGreaterThan(2)
    for (const start of sent)
      expect(
        titles.some((title) => title.startsWith(start)),
        start,
      ).toBe(true)
  })
})
