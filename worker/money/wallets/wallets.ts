import { and, desc, eq, isNull, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import { getCoinOfNetwork } from '../../../src/contract/money/coins.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { type Site, site } from '../../../src/site.ts'
import { loadOwnWallets } from '../../chains/addresses/addresses.ts'
import { type ActorCall, type Answer, type Call, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, takePage } from '../../http/paging.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { depositAddresses, watchWallets } from '../../lib/tables/payments.ts'
import { wallets } from '../../lib/tables/requests.ts'

/** The wallets that deposits may be sent to: own addresses on proved networks, then the others, newest first. */
export async function listWallets(
  call: CheckedCall<unknown, { limit: number; cursor?: string | undefined }> & ActorCall,
): Promise<Answer<Wallet[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const own = await loadOwnWallets(call)
  const found = await call.db
    .select()
    .from(wallets)
    .where(
      and(
        isOffered(),
        own.networks.length === 0 ? undefined : notInArray(wallets.network, own.networks),
        after === null ? undefined : lt(wallets.seq, after.seq),
      ),
    )
    .orderBy(desc(wallets.seq))
    .limit(limit + 1)
  const { rows, headers } = takePage(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  const manual = rows.map(
    (row): Wallet => ({
      _id: row.id,
      walletName: row.coin,
      type: row.coin,
      network: row.network,
      address: row.address,
      image: buildPicturePath(row.id),
      simulated: row.simulated,
    }),
  )
  const ownOnes = own.addresses.map(({ id, network, address }): Wallet => {
    const coin = getCoinOfNetwork(network)
    const image = buildPicturePath(id)
    return {
      _id: `${id}:${network}`,
      walletName: coin,
      type: coin,
      network,
      address,
      image,
      simulated: false,
      own: true,
    }
  })
  // They are few, and stand before the first page.
  return ok(after === null ? [...ownOnes, ...manual] : manual, headers)
}

/** The text in a simulated wallet's QR code, which prevents payments to it. */
const SEND_NOTHING = 'Simulated. Send nothing.'

/**
 * The QR code of an active wallet or of an investor's own address, as SVG. Public, because an `<img>` sends no bearer token, and named by
 * an id that cannot be guessed. 404 once the wallet is retired.
 */
export async function serveWalletPicture(call: Call): Promise<Response> {
  const id = call.params.id ?? ''
  const [[offered], [own]] = await readTogether(
    call.db,
    selectRows({ address: wallets.address, simulated: sql<0 | 1>`simulated` })
      .from(wallets)
      .where(and(eq(wallets.id, id), isNull(wallets.retiredAt))),
    selectRows({ address: depositAddresses.address })
      .from(depositAddresses)
      .innerJoin(watchWallets, eq(watchWallets.id, depositAddresses.wallet))
      .where(and(eq(depositAddresses.id, id), isNull(watchWallets.retiredAt))),
  )
  if (offered === undefined && own === undefined) refuse('not_found')
  const wallet = { address: offered?.address ?? own?.address ?? '', simulated: offered?.simulated === 1 }
  return new Response(renderPicture(wallet), {
    headers: {
      'Content-Type': 'image/svg+xml',
      // Minutes only: a retired wallet must soon disappear from screens.
      'Cache-Control': 'private, max-age=300',
      'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    },
  })
}

/** The path of a wallet's QR code on the API's host. */
export function buildPicturePath(walletId: string): string {
  return `/api/v1/wallets/${walletId}/qr.svg`
}

/** A QR code of the address with the quiet zone of four modules that scanners need (ISO/IEC 18004). */
export function renderPicture(wallet: { address: string; simulated: boolean }): string {
  return renderSVG(wallet.simulated ? SEND_NOTHING : wallet.address, { ecc: 'M', border: 4 })
}

/**
 * SQL: wallets offered to investors: active ones and, in live mode, no simulated ones, because no operator checked their
 * addresses for real money.
 */
export function isOffered(mode: Site['mode'] = site.mode): SQL {
  return mode === 'live' ? sql`retired_at IS NULL AND simulated = 0` : sql`retired_at IS NULL`
}
