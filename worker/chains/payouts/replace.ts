import type { replacePayout as endpoint } from '../../../src/contract/console/payouts.ts'
import { type CallOf, created } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { decodeBitcoinPayout } from './bitcoinDetails.ts'
import { toBitcoinTransaction, toEthereumTransaction } from './build.ts'
import { replaceBitcoinPayout } from './buildBitcoin.ts'
import { decodeEthereumOrder, replaceEthereumPayout } from './buildEthereum.ts'
import { toPayoutDetail } from './payout.ts'
import { getNewestVersion, type WholePayout } from './read.ts'
import { listSignerMails } from './signers.ts'
import { insertTransaction, type NewTransaction } from './statements.ts'

/** Builds the same payout with a higher fee, to be signed and released as the first one was. Only one of both can be mined. */
export async function replacePayout(call: CallOf<typeof endpoint>, payout: WholePayout) {
  const { env, actor, nowMs } = call
  if (payout.state !== 'released')
    refuse('already_decided', {
      msg: 'Only a payout that was sent is replaced. Cancel one that was not sent, and build another.',
    })
  if (payout.height !== null) refuse('already_decided', { msg: 'This payout is in a block already.' })
  const version = getNewestVersion(payout).version + 1
  const transaction = await buildReplacement(call, payout)
  const { unsigned, details, fee } = transaction
  const next = {
    version,
    unsigned,
    details,
    fee,
    builtAt: nowMs,
    builtBy: actor.id,
    builtByName: actor.displayName,
    txid: null,
    signed: null,
    releasedAt: null,
    releasedBy: null,
    releasedByName: null,
  }
  const replaced: WholePayout = {
    ...payout,
    versions: [...payout.versions, next],
    signed: [],
    keySignatures: [],
    signatures: 0,
  }
  const detail = toPayoutDetail(env, replaced)
  return call.commit({
    statements: insertTransaction(call, payout.id, version, transaction),
    audit: [{ action: 'payout.replaced', subject: payout.id, detail: { version } }],
    mails: listSignerMails(call, replaced, detail),
    answer: created(detail),
  })
}

async function buildReplacement(
  { db, env, body: { fee } }: CallOf<typeof endpoint>,
  payout: WholePayout,
): Promise<NewTransaction> {
  // What replaces a transaction must pay more than the last one that was sent. One that was never signed does not count.
  const sent = payout.versions.findLast(({ txid }) => txid !== null) ?? getNewestVersion(payout)
  if (payout.chain === 'ethereum')
    return toEthereumTransaction(replaceEthereumPayout(decodeEthereumOrder(sent.details), fee))
  const configuration = getBitcoinConfiguration(env) ?? refuse('network_not_proved')
  const { wallet: id, descriptor } = payout
  const previous = decodeBitcoinPayout(sent, descriptor, configuration.network)
  return toBitcoinTransaction(
    await replaceBitcoinPayout(db, configuration, { id, descriptor }, previous, fee),
  )
}
