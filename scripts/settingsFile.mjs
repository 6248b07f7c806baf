import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a text value into a section of a project's wrangler.toml, and leaves its comments alone. Adds the key if the section lacks it.
 * `CLOUDFLARE_ENV` chooses the section of an environment, as for wrangler.
 *
 * @param {string} project the folder
 * @param {string} section such as "d1_databases"
 * @param {string} key
 * @param {string} value
 * @param {string} [environmentName]
 */
export function writeSetting(project, section, key, value, environmentName = process.env.CLOUDFLARE_ENV) {
  const path = join(project, 'wrangler.toml')
  const header = `[[${environmentName ? `env.${environmentName}.` : ''}${section}]]`
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(`${header}\n`)
  if (start === -1) throw new Error(`wrangler.toml has no section ${header}.`)
  const body = start + header.length + 1
  // The section ends at an empty line or at the next header.
  const found = text.slice(body).search(/^(?:\[|$)/m)
  const end = found === -1 ? text.length : body + found
  const lines = text.slice(body, end)
  const line = new RegExp(`^${key} = .*$`, 'm')
  const written = `${key} = "${value}"`
  const changed = line.test(lines) ? lines.replace(line, written) : `${lines}${written}\n`
  writeFileSync(path, text.slice(0, body) + changed + text.slice(end))
}
