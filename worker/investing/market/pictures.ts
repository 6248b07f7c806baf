import { getTableColumns, sql } from 'drizzle-orm'
import { inspectImage } from '../../../src/pictures/inspect.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Call } from '../../http/call.ts'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { SAMPLE_COINS } from '../../lib/market/sample.ts'
import { marketPictures } from '../../lib/tables/market.ts'
import { fetchWhole, type Provider } from './provider.ts'

const WEEK_SECONDS = 7 * 86_400

/**
 * A coin's picture from the bucket. Refuses `not_found` if none was fetched. Public, because an `<img>` sends no bearer.
 */
export async function serveCoinPicture(call: Call): Promise<Response> {
  const id = call.params.id ?? ''
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/i.test(id)) refuse('not_found')
  // The bucket's tags are plain hexadecimal; anything else is ignored.
  const tag = /^(?:W\/)?"([0-9a-f]+)"$/.exec(call.request.headers.get('If-None-Match') ?? '')?.[1]
  const found = await call.env.FILES.get(getPictureKey(id), {
    ...(tag !== undefined && { onlyIf: { etagDoesNotMatch: tag } }),
  })
  if (found === null) refuse('not_found')
  const headers = {
    'Cache-Control': `public, max-age=${WEEK_SECONDS}, stale-while-revalidate=${WEEK_SECONDS}`,
    ETag: found.httpEtag,
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  }
  if (!('body' in found)) return new Response(null, { status: 304, headers })
  return new Response(found.body, {
    headers: { ...headers, 'Content-Type': found.httpMetadata?.contentType ?? 'application/octet-stream' },
  })
}

/** A coin with the address of its picture at the provider's. */
export interface PicturedCoin {
  readonly id: string
  readonly picture: string | null
}

const KEPT_MS = 30 * DAY_MS
const GIVEN_UP_MS = DAY_MS
/** The most pictures that one run fetches. */
const AT_ONCE = 5
const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5_000
/** Types that a browser draws without reading markup. */
const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

/** Coins whose picture is among the site's files. */
const bundled = new Set(SAMPLE_COINS.map(({ id }) => id))
const UNKNOWN = '/coins/unknown.svg'

/** A coin's picture on our own host: bundled, fetched, or a placeholder. */
export function getImagePath(id: string, fetched: ReadonlySet<string>): string {
  if (bundled.has(id)) return `/coins/${id}.svg`
  return fetched.has(id) ? `/api/v1/market/pictures/${id}` : UNKNOWN
}

/** The coins among these whose picture was fetched. */
export async function loadFetchedPictures(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const [rows] = await readTogether(db, readPictureTries(ids))
  return new Set(rows.filter(({ type }) => type !== null).map(({ coin }) => coin))
}

/** Fetches pictures that are missing or a month old, a few in one run. A failed one is tried again a day later. */
export async function fetchPictures(
  env: Env,
  db: Database,
  provider: Provider,
  coins: readonly PicturedCoin[],
  nowMs: number,
): Promise<void> {
  const wanted = coins.flatMap(({ id, picture }) => {
    const address = bundled.has(id) || picture === null ? null : parsePictureUrl(picture, provider)
    return address === null ? [] : [{ id, address }]
  })
  if (wanted.length === 0) return
  const [tries] = await readTogether(db, readPictureTries(wanted.map(({ id }) => id)))
  const rested = new Set(
    tries
      .filter(({ type, triedAt }) => triedAt + (type === null ? GIVEN_UP_MS : KEPT_MS) > nowMs)
      .map(({ coin }) => coin),
  )
  const due = wanted.filter(({ id }) => !rested.has(id)).slice(0, AT_ONCE)
  const timeoutMs = Math.min(TIMEOUT_MS, provider.timeoutMs)
  await Promise.all(
    due.map(async ({ id, address }) => {
      const type = await fetchPicture(env, id, address, timeoutMs).catch(() => null)
      // An older picture stays if a newer one cannot be fetched.
      await runBatch(db, [
        sql`INSERT INTO market_pictures (coin, type, tried_at) VALUES (${id}, ${type}, ${nowMs})
          ON CONFLICT (coin) DO UPDATE SET type = coalesce(excluded.type, type), tried_at = excluded.tried_at`,
      ])
    }),
  )
}

/** The picture's key in the bucket. */
function getPictureKey(id: string): string {
  return `market/pictures/${id}`
}

async function fetchPicture(
  env: Env,
  id: string,
  address: string,
  timeoutMs: number,
): Promise<string | null> {
  const { bytes } = await fetchWhole(address, { timeoutMs, maxBytes: MAX_BYTES })
  // The bytes decide the type, not the declared type.
  const picture = inspectImage(bytes)
  if (!picture.ok || !TYPES.includes(picture.type)) return null
  await env.FILES.put(getPictureKey(id), picture.bytes, { httpMetadata: { contentType: picture.type } })
  return picture.type
}

// Only from hosts where the provider keeps pictures. CoinGecko has several sizes side by side; this takes the smaller one.
function parsePictureUrl(picture: string, { pictureHosts, base }: Provider): string | null {
  if (!URL.canParse(picture)) return null
  const url = new URL(picture)
  if (url.protocol !== new URL(base).protocol || !pictureHosts.includes(url.host)) return null
  if (url.username !== '' || url.password !== '') return null
  url.pathname = url.pathname.replace('/large/', '/small/')
  return url.href
}

function readPictureTries(ids: readonly string[]) {
  return selectRows(getTableColumns(marketPictures))
    .from(marketPictures)
    .where(sql`coin IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
}
