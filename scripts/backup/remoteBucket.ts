import { AwsClient } from 'aws4fetch'
import { type Bucket, type BucketConfig, hashSha256, PREFIXES } from './bucket.ts'
import type { StoredFile } from './manifest.ts'

/** How a command uses the files: this decides which rights its token needs. */
export type BucketUse = 'read' | 'write'

/** The variables of the environment that `openRemoteBucket` reads. */
interface Environment {
  readonly R2_ACCESS_KEY_ID?: string | undefined
  readonly R2_SECRET_ACCESS_KEY?: string | undefined
  readonly CLOUDFLARE_ACCOUNT_ID?: string | undefined
  /** Another server in place of Cloudflare's, for tests. The host of the bucket then comes first in the path. */
  readonly R2_ENDPOINT?: string | undefined
}

/**
 * Opens the deployed bucket by R2's S3 interface (https://developers.cloudflare.com/r2/api/s3/api/). A token for one bucket is enough.
 * A binding would need the right to deploy code, which can read every secret of the Worker. Asks for one key first, so that a wrong
 * token is found before the export blocks the database. Throws a sentence that says which rights are missing.
 */
export async function openRemoteBucket(
  { name, jurisdiction, accountId }: BucketConfig,
  use: BucketUse,
  environment: Environment,
  { retries = 6 }: { retries?: number } = {},
): Promise<Bucket> {
  const rights = describeRights(name, use)
  const { R2_ACCESS_KEY_ID: accessKeyId, R2_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (!accessKeyId || !secretAccessKey)
    throw new Error(`R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are not set. ${rights}`)
  const account = accountId ?? environment.CLOUDFLARE_ACCOUNT_ID
  if (!account) throw new Error('The account is unknown: give account_id in wrangler.toml.')
  const host = [account, jurisdiction, 'r2.cloudflarestorage.com'].filter(Boolean).join('.')
  const url = `${environment.R2_ENDPOINT ? `${environment.R2_ENDPOINT}/${host}` : `https://${host}`}/${name}`
  // aws4fetch signs requests as S3 demands. It has no dependencies and is 11 KB; the official client is 100 times larger.
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'auto', retries })

  async function sendRequest(what: string, path: string, init: RequestInit & { method: string }) {
    try {
      const response = await client.fetch(url + path, init)
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
    } catch (error) {
      throw new Error(`${what}: no answer from ${host} (${describeCause(error)}).`)
    }
  }

  /** The answer to a request that has to succeed, except that there may be no such file: null. */
  async function request(what: string, path: string, init: RequestInit & { method: string }) {
    const answer = await sendRequest(what, path, init)
    if (answer.response.ok) return answer
    const text = new TextDecoder().decode(answer.bytes)
    const code = findText(text, 'Code') ?? `status ${answer.response.status}`
    if (code === 'NoSuchKey') return null
    throw new Error(`${what}: ${describeRefusal(code, findText(text, 'Message') ?? '')}`)
  }

  function describeRefusal(code: string, message: string): string {
    if (code === 'NoSuchBucket')
      return `there is no bucket ${name} at ${host}. A bucket that was created with --jurisdiction eu needs \`jurisdiction = "eu"\` in wrangler.toml.`
    if (code === 'AccessDenied' || code === 'status 403' || code === 'status 401')
      return `the token may not do this. ${rights}`
    if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
      return `R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY do not belong together, or the token was revoked. ${rights}`
    return `${code}. ${message}`.trim()
  }

  /** Up to `most` keys after those of the page that gave `token`. */
  async function list(prefix: string, most: number, token?: string) {
    const query = new URLSearchParams({
      'list-type': '2',
      'encoding-type': 'url',
      'max-keys': String(most),
      prefix,
      ...(token === undefined ? {} : { 'continuation-token': token }),
    })
    const answer = await request(`Listing ${prefix}`, `?${query}`, { method: 'GET' })
    const page = new TextDecoder().decode(answer?.bytes)
    return {
      keys: [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) =>
        decodeURIComponent(key.replaceAll('+', ' ')),
      ),
      next: findText(page, 'IsTruncated') === 'true' ? findText(page, 'NextContinuationToken') : undefined,
    }
  }

  async function listAll(prefix: string): Promise<string[]> {
    const keys: string[] = []
    let next: string | undefined
    do {
      const page = await list(prefix, PAGE, next)
      keys.push(...page.keys)
      next = page.next
    } while (next !== undefined)
    return keys
  }

  await list(PREFIXES[0], 1)
  return {
    async get(key) {
      const answer = await request(`File ${key}`, encodePath(key), { method: 'GET' })
      if (answer === null) return null
      const { bytes, response } = answer
      return { file: describe(key, bytes, response.headers), bytes }
    },
    async put(file, bytes) {
      const headers = { ...buildHeaders(file), 'x-amz-content-sha256': hashSha256(bytes) }
      await request(`File ${file.key}`, encodePath(file.key), { method: 'PUT', body: bytes, headers })
    },
    async delete(key) {
      await request(`File ${key}`, encodePath(key), { method: 'DELETE' })
    },
    keys: async () => (await Promise.all(PREFIXES.map(listAll))).flat(),
    close: async () => undefined,
  }
}

/** The most keys that S3 lists at once. */
const PAGE = 1000

function describeRights(bucket: string, use: BucketUse): string {
  const permission = use === 'read' ? 'Object Read only' : 'Object Read & Write'
  return `Create a token in Cloudflare's dashboard under R2 → Manage API tokens, with the permission "${permission}" for the bucket ${bucket} alone, and put its two values into R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY.`
}

function encodePath(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/')}`
}

/** The names that R2 gives to HTTP headers in `httpMetadata`. Files of the platform have no `Expires`. */
const HTTP_METADATA: readonly (readonly [header: string, name: string])[] = [
  ['content-type', 'contentType'],
  ['content-language', 'contentLanguage'],
  ['content-disposition', 'contentDisposition'],
  ['content-encoding', 'contentEncoding'],
  ['cache-control', 'cacheControl'],
]
const CUSTOM = 'x-amz-meta-'

function describe(key: string, bytes: Uint8Array, headers: Headers): StoredFile {
  const httpMetadata = HTTP_METADATA.flatMap(([header, name]) => {
    const value = headers.get(header)
    return value === null ? [] : [[name, value] as const]
  })
  const customMetadata = [...headers].flatMap(([header, value]) =>
    header.startsWith(CUSTOM) ? [[header.slice(CUSTOM.length), decodeWords(value)] as const] : [],
  )
  return {
    key,
    size: bytes.length,
    sha256: hashSha256(bytes),
    httpMetadata: Object.fromEntries(httpMetadata),
    customMetadata: Object.fromEntries(customMetadata),
  }
}

function buildHeaders({ httpMetadata, customMetadata }: StoredFile): Record<string, string> {
  const http = HTTP_METADATA.flatMap(([header, name]) => {
    const value = httpMetadata[name]
    return value === undefined ? [] : [[header, value] as const]
  })
  const custom = Object.entries(customMetadata).map(([name, value]) => [CUSTOM + name, encodeWords(value)])
  return Object.fromEntries([...http, ...custom])
}

/** Writes a text beyond ASCII as RFC 2047 says, which R2 decodes before it stores it. */
function encodeWords(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, part: string) => {
      if (encoding.toLowerCase() === 'b') return Buffer.from(part, 'base64').toString()
      const bytes = part
        .replaceAll('_', ' ')
        .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      return Buffer.from(bytes, 'latin1').toString()
    })
}

/** The text of an element in the XML of S3. */
function findText(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
