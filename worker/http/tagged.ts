import { sha256Hex } from '../lib/crypto/tokens.ts'
import type { Call } from './call.ts'

/** Answers JSON with an ETag made from `tagOf`, or 304 if the client has it (RFC 9110, `If-None-Match`). */
export async function answerWithTag(
  call: Call,
  body: string,
  headers: Readonly<Record<string, string>>,
  tagOf = body,
): Promise<Response> {
  const tag = `"${(await sha256Hex(tagOf)).slice(0, 32)}"`
  const all = { ...headers, ETag: tag }
  return hasTag(call.request.headers.get('If-None-Match'), tag)
    ? new Response(null, { status: 304, headers: all })
    : new Response(body, { headers: { ...all, 'Content-Type': 'application/json' } })
}

function hasTag(header: string | null, tag: string): boolean {
  return (header ?? '').split(',').some((entry) => {
    const candidate = entry.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === tag
  })
}
