import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'

/**
 * @typedef {object} Settings what wrangler.toml says, as far as our scripts read it
 * @property {string} name of the Worker
 * @property {string} [account_id]
 * @property {string} [compatibility_date]
 * @property {boolean} [workers_dev]
 * @property {boolean} [preview_urls]
 * @property {readonly (string | { pattern: string, custom_domain?: boolean })[]} [routes]
 * @property {Readonly<Record<string, string>>} vars
 * @property {readonly { binding: string, database_name?: string, database_id?: string }[]} d1_databases
 * @property {readonly { binding: string, bucket_name?: string, jurisdiction?: string }[]} r2_buckets
 * @property {readonly { name: string }[]} send_email
 */

/** What an environment does not take over from the top. */
const NOT_INHERITED = { vars: {}, d1_databases: [], r2_buckets: [], send_email: [] }

/**
 * Reads a project's wrangler.toml as wrangler does. Wrangler itself takes almost a second to load. test/staging.test.ts compares
 * the two.
 *
 * @param {string} project the folder
 * @param {string} [environmentName] of the section `[env.…]`
 * @returns {Settings}
 */
export function readSettings(project, environmentName = process.env.CLOUDFLARE_ENV) {
  // Safe, because wrangler refuses another shape when it deploys.
  const { env = {}, ...top } = /** @type {any} */ (
    parse(readFileSync(join(project, 'wrangler.toml'), 'utf8'))
  )
  if (!environmentName) return { ...NOT_INHERITED, ...top }
  const own = env[environmentName]
  if (own === undefined) throw new Error(`wrangler.toml has no section [env.${environmentName}].`)
  return { ...top, name: `${top.name}-${environmentName}`, ...NOT_INHERITED, ...own }
}

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
  writeFileSync(path, updateSetting(readFileSync(path, 'utf8'), header, key, `"${value}"`))
}

/**
 * Sets a value in the text of a wrangler.toml and returns the new text. Adds the key if the section lacks it.
 *
 * @param {string} text
 * @param {string} header of the section, such as "[vars]"; empty for the keys above all sections
 * @param {string} key
 * @param {string} value in TOML, so a text with its quotes
 */
export function updateSetting(text, header, key, value) {
  const { start, end } = findSection(text, header)
  const lines = text.slice(start, end)
  const line = new RegExp(`^${key} = .*$`, 'm')
  const written = `${key} = ${value}`
  const changed = line.test(lines) ? lines.replace(line, () => written) : `${lines}${written}\n`
  return text.slice(0, start) + changed + text.slice(end)
}

/**
 * The value of a key in TOML; undefined if the section lacks it.
 *
 * @param {string} text
 * @param {string} header
 * @param {string} key
 */
export function readSetting(text, header, key) {
  const { start, end } = findSection(text, header)
  return new RegExp(`^${key} = (.*)$`, 'm').exec(text.slice(start, end))?.[1]
}

/**
 * Where the lines of a section start and end: it ends at an empty line or at the next header.
 *
 * @param {string} text @param {string} header
 */
function findSection(text, header) {
  const at = header === '' ? 0 : `\n${text}`.indexOf(`\n${header}\n`)
  if (at === -1) throw new Error(`wrangler.toml has no section ${header}.`)
  const start = header === '' ? 0 : at + header.length + 1
  const found = text.slice(start).search(/^(?:\[|$)/m)
  return { start, end: found === -1 ? text.length : start + found }
}
