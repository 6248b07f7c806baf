import { answerS3, type S3File, type S3Token } from './s3.ts'
import { type ApiAnswer, type ApiRequest, type Product, readJson } from './server.ts'

interface Bucket {
  readonly name: string
  readonly jurisdiction: string
  readonly location: string | null
  readonly files: Map<string, S3File>
}

export interface Buckets {
  readonly answer: Product
  /** R2's S3 interface, which has tokens of its own. */
  answerFile(request: ApiRequest): Response | undefined
  find(name: string, jurisdiction?: string): Bucket | undefined
}

/** A token that may read and write each bucket, and one that may only read. */
export const S3_WRITER: S3Token = {
  accessKeyId: 'writer',
  secretAccessKey: 'secret of the writer',
  mayWrite: true,
}
export const S3_READER: S3Token = {
  accessKeyId: 'reader',
  secretAccessKey: 'secret of the reader',
  mayWrite: false,
}

/** R2: `/r2/buckets`. A bucket of a jurisdiction is found only by requests that name the jurisdiction. */
export function openBuckets(): Buckets {
  const buckets: Bucket[] = []
  const find = (name: string, jurisdiction = 'default') =>
    buckets.find((bucket) => bucket.name === name && bucket.jurisdiction === jurisdiction)

  function create(request: ApiRequest, jurisdiction: string): ApiAnswer {
    const { name, locationHint } = readJson(request)
    if (find(String(name), jurisdiction) !== undefined)
      return {
        code: 10004,
        message: 'The bucket you tried to create already exists, and you own it.',
        status: 409,
      }
    const location = locationHint === undefined ? null : String(locationHint)
    const bucket = { name: String(name), jurisdiction, location, files: new Map() }
    buckets.push(bucket)
    return { result: describe(bucket) }
  }

  return {
    answer(request) {
      if (!request.path.startsWith('/r2/buckets')) return undefined
      const jurisdiction = request.headers.get('cf-r2-jurisdiction') ?? 'default'
      const name = /^\/r2\/buckets\/([^/]+)$/.exec(request.path)?.[1]
      if (name === undefined && request.method === 'POST') return create(request, jurisdiction)
      if (name === undefined && request.method === 'GET')
        return {
          result: { buckets: buckets.filter((one) => one.jurisdiction === jurisdiction).map(describe) },
        }
      const bucket = find(name ?? '', jurisdiction)
      if (bucket === undefined)
        return { code: 10006, message: 'The specified bucket does not exist.', status: 404 }
      return request.method === 'GET' ? { result: describe(bucket) } : undefined
    },
    answerFile: (request) =>
      answerS3(request, [S3_WRITER, S3_READER], (host, name) => {
        const [, jurisdiction] = /^[^.]+\.(?:([^.]+)\.)?r2\./.exec(host) ?? []
        return find(name, jurisdiction)?.files
      }),
    find,
  }
}

function describe({ name, jurisdiction, location }: Bucket) {
  return {
    name,
    jurisdiction,
    location: location ?? 'WEUR',
    creation_date: '2026-01-01T00:00:00Z',
    storage_class: 'Standard',
  }
}
