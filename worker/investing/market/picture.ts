import type { Call } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { fileOf } from './pictures.ts'

const WEEK_SECONDS = 7 * 86_400

/** A coin's picture from the bucket, 404 where none was fetched. Public, because an `<img>` carries no bearer. */
export async function coinPicture(call: Call): Promise<Response> {
  const id = call.params.id ?? ''
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/i.test(id)) refuse('not_found')
  // The bucket's own tags are plain hexadecimal; whatever else is sent is no condition.
  const tag = /^(?:W\/)?"([0-9a-f]+)"$/.exec(call.request.headers.get('If-None-Match') ?? '')?.[1]
  const found = await call.env.FILES.get(fileOf(id), {
    ...(tag !== undefined && { onlyIf: { etagDoesNotMatch: tag } }),
  })
  if (found === null) refuse('not_found')
  const headers = {
    'Cache-Control': `public, max-age=${WEEK_SECONDS}, stale-while-revalidate=${WEEK_SECONDS}`,
    ETag: found.httpEtag,
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
  }
  if (!('body' in found)) return new Response(null, { status: 304, headers })
  return new Response(found.body, {
    headers: { ...headers, 'Content-Type': found.httpMetadata?.contentType ?? 'application/octet-stream' },
  })
}
