import { readSettings } from './settingsFile.mjs'
import { MORE_ACCOUNTS, root, run } from './toolchain.mjs'

/** Cloudflare's API refused a request. */
export class CloudflareRefused extends Error {
  /** @param {string} message @param {number | undefined} code Cloudflare's own number of the error */
  constructor(message, code) {
    super(message)
    this.code = code
  }
}

/**
 * Asks Cloudflare's API about the account of wrangler.toml and returns the `result`. Wrangler would ask the same, and take a second
 * to start for each question. Throws `CloudflareRefused` with Cloudflare's own words.
 *
 * @param {string} path under `/accounts/<id>`, such as `/d1/database`
 * @param {unknown} [body] sent by POST. Without one, the request is a GET
 * @returns {Promise<any>}
 */
export async function callCloudflare(path, body) {
  const headers = await readCredentials()
  const account =
    readSettings(root).account_id ?? process.env.CLOUDFLARE_ACCOUNT_ID ?? (await findAccount(headers))
  return request(headers, `/accounts/${account}${path}`, body)
}

/** The path of the Worker that wrangler.toml names. */
export function getWorkerPath() {
  return `/workers/scripts/${readSettings(root).name}`
}

/** The path of the database DB. */
export function getDatabasePath() {
  const database = readSettings(root).d1_databases.find(({ binding }) => binding === 'DB')
  if (!database?.database_id) throw new Error('wrangler.toml names no database DB with an id.')
  return `/d1/database/${database.database_id}`
}

/**
 * @param {Record<string, string>} headers
 * @param {string} path
 * @param {unknown} [body]
 */
async function request(headers, path, body) {
  const base = process.env.CLOUDFLARE_API_BASE_URL || 'https://api.cloudflare.com/client/v4'
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`${base}${path}`, {
    ...sent,
    headers: { ...headers, 'Content-Type': 'application/json' },
  }).catch((error) => {
    throw new Error(`No answer from ${new URL(base).host} (${error.cause?.message ?? error.message}).`)
  })
  const answer = await response.json().catch(() => null)
  if (response.ok && answer?.success) return answer.result
  /** @type {{ code: number, message: string }[]} */
  const errors = answer?.errors ?? []
  const words = errors.map(({ code, message }) => `${message} [code: ${code}]`).join('\n')
  throw new CloudflareRefused(
    words || `${new URL(base).host} answered with status ${response.status}.`,
    errors[0]?.code,
  )
}

/** The token of the environment, or that of `npm run cloudflare -- login`. @returns {Promise<Record<string, string>>} */
async function readCredentials() {
  if (process.env.CLOUDFLARE_API_TOKEN) return { Authorization: `Bearer ${process.env.CLOUDFLARE_API_TOKEN}` }
  const output = await run('wrangler', ['auth', 'token', '--json'])
  const { token, key, email } = JSON.parse(output.slice(output.indexOf('{')))
  return token ? { Authorization: `Bearer ${token}` } : { 'X-Auth-Key': key, 'X-Auth-Email': email }
}

/** @param {Record<string, string>} headers */
async function findAccount(headers) {
  /** @type {{ id: string }[]} */
  const accounts = await request(headers, '/accounts')
  const [only] = accounts
  if (only === undefined || accounts.length > 1)
    throw new Error(only === undefined ? 'Your token has no access to an account.' : MORE_ACCOUNTS)
  return only.id
}
