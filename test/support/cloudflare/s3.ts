import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A file of a bucket. */
export interface S3File {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The headers that are stored with the file, custom metadata included. */
  readonly headers: Readonly<Record<string, string>>
}

/** A token, for one bucket or for all. */
export interface S3Token {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly bucket?: string
  readonly mayWrite: boolean
}

/** A request to a bucket. The host of the bucket stands in the path: `/s3/<account>.eu.r2.cloudflarestorage.com/<bucket>/<key>`. */
export interface S3Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Buffer
}

const STORED = /^(?:content-(?:type|language|disposition|encoding)|cache-control|x-amz-meta-.+)$/

/**
 * Answers a request as R2's S3 interface does, as far as backups use it: list, get, put and delete, with signature version 4. Returns
 * undefined if the path names no bucket.
 */
export function answerS3(
  request: S3Request,
  tokens: readonly S3Token[],
  findFiles: (host: string, bucket: string) => Map<string, S3File> | undefined,
): Response | undefined {
  const { method, path, headers, body } = request
  const [, host, name, rest] = PATH.exec(path) ?? []
  if (host === undefined || name === undefined) return undefined
  const key = decodeURIComponent(rest ?? '')
  const credential = /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1]
  const token = tokens.find(({ accessKeyId }) => accessKeyId === credential)
  if (token === undefined) return refuse(403, 'InvalidAccessKeyId', 'The access key does not exist.')
  if (!isSigned(request, token)) return refuse(403, 'SignatureDoesNotMatch', 'Check your secret.')
  if ((token.bucket ?? name) !== name || !(method === 'GET' || token.mayWrite))
    return refuse(403, 'AccessDenied', 'Access Denied')
  const files = findFiles(host, name)
  if (files === undefined) return refuse(404, 'NoSuchBucket', 'The specified bucket does not exist.')
  if (key === '' && method === 'GET') return list(files, request.query)
  if (method === 'GET') {
    const file = files.get(key)
    if (file === undefined) return refuse(404, 'NoSuchKey', 'The specified key does not exist.')
    return new Response(file.bytes, { headers: file.headers })
  }
  if (method === 'PUT') {
    const stored = [...headers].filter(([header]) => STORED.test(header))
    files.set(key, { bytes: new Uint8Array(body), headers: Object.fromEntries(stored) })
    return new Response('')
  }
  if (method !== 'DELETE') return refuse(405, 'MethodNotAllowed', 'The method is not allowed.')
  files.delete(key)
  return new Response(null, { status: 204 })
}

const PATH = /\/([^/]+\.r2\.cloudflarestorage\.com)\/([^/]+)(?:\/(.*))?$/

function list(files: Map<string, S3File>, query: URLSearchParams): Response {
  const after = query.get('continuation-token') ?? ''
  const keys = [...files.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort()
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1000))
  const isTruncated = page.length < keys.length
  const contents = page.map(
    (key) => `<Contents><Key>${encodeURIComponent(key).replaceAll('%2F', '/')}</Key></Contents>`,
  )
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return xml(
    200,
    `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`,
  )
}

function refuse(status: number, code: string, message: string): Response {
  return xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

function xml(status: number, content: string): Response {
  const headers = { 'content-type': 'application/xml' }
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${content}`, { status, headers })
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/((\d{8})\/auto\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

/** Signature version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function isSigned({ method, path, query, headers, body }: S3Request, { secretAccessKey }: S3Token): boolean {
  const [, scope = '', date = '', signed = '', signature = ''] =
    AUTHORIZATION.exec(headers.get('authorization') ?? '') ?? []
  const bodyHash = headers.get('x-amz-content-sha256') ?? ''
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body)) return false
  const parameters = [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonical = [
    method,
    path.split('/').map(decodeURIComponent).map(encode).join('/'),
    parameters,
    ...signed.split(';').map((header) => `${header}:${headers.get(header)?.replace(/\s+/g, ' ')}`),
    '',
    signed,
    bodyHash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers.get('x-amz-date'), scope, sha256(canonical)].join('\n')
  const key = [date, 'auto', 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const expected = hmac(key, text)
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
