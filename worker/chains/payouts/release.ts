import { and, eq } from 'drizzle-orm'
import { PsbtScanner } from '../../../src/chain/bitcoin/animatedQr.ts'
import { checkSignedPayout as checkBitcoin, combinePayouts } from '../../../src/chain/bitcoin/signedPayout.ts'
import { ChainError } from '../../../src/chain/chainError.ts'
import { checkSignedPayout as checkEthereum } from '../../../src/chain/ethereum/payout.ts'
import { type releasePayout as endpoint, PAYOUT_VALID_HOURS } from '../../../src/contract/console/payouts.ts'
import { accepted, type CallOf, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { readTogether } from '../../lib/database.ts'
import { getLogMessage, refuse, refuseField } from '../../lib/errors.ts'
import { payoutKeySignatures, payoutSignatures, payoutTransactions } from '../../lib/tables/payouts.ts'
import { getBitcoinConfiguration } from '../servers/configuration.ts'
import { decodeBitcoinPayout } from './bitcoinDetails.ts'
import { broadcastPayout } from './broadcast.ts'
import { decodeEthereumOrder } from './buildEthereum.ts'
import { assertPayable, readPayable } from './payable.ts'
import { listPayoutKeys, toPayoutDetail } from './payout.ts'
import { getNewestVersion, type VersionFacts, type WholePayout } from './read.ts'
import { assertOwnKeys, canBeReleased } from './signers.ts'

type ReleaseCall = CallOf<typeof endpoint>

/**
 * Takes the file from the signing devices and compares it with the built transaction, output by output. Signatures of a multisignature
 * wallet are kept until there are enough. Then the release is committed, and only then sent: whatever happens after the commit, the cron
 * job sends the same transaction again.
 */
export async function releasePayout(call: CallOf<typeof endpoint>, payout: WholePayout) {
  const { db, env, actor, nowMs } = call
  const newest = getNewestVersion(payout)
  const signed = await checkSigned(call, payout, newest)
  assertReleasable(payout, newest, nowMs)
  // Also for the first of several signatures. A version that replaces a released one pays the same and may go on.
  if (newest.version === 1) {
    const [found] = await readTogether(db, readPayable(payout.items.map(({ request }) => request)))
    for (const withdrawal of found) assertPayable(withdrawal, payout.chain, nowMs, payout.id)
  }
  const keys = listPayoutKeys(env, payout)
  await assertOwnKeys(call, payout, keys, signed.made)
  if (signed.status === 'complete' && payout.items.some(({ approver }) => approver === actor.id))
    refuse('second_operator_required', {
      msg: 'You approved a withdrawal of this payout. Another operator must release it.',
    })
  const act = { amountCents: payout.amount }
  await assertFactor(call, act)
  const keySignatures = signed.signedKeys.map((key) => ({ key, signedBy: actor.id, signedAt: nowMs }))
  const signedNow = {
    ...payout,
    keySignatures: [
      ...payout.keySignatures,
      ...keySignatures.map((facts) => ({ ...facts, signedByName: actor.displayName })),
    ],
  }
  const storeKeys = keySignatures.map((facts) =>
    db.insert(payoutKeySignatures).values({ payout: payout.id, version: newest.version, ...facts }),
  )
  const detail = {
    version: newest.version,
    amountCents: payout.amount,
    wallet: payout.wallet,
    keys: keys.flatMap(({ key, keyName }) => (signed.signedKeys.includes(key) ? [keyName] : [])).join(' '),
  }
  if (signed.status === 'partial') {
    const open = keys.filter(({ key, signed: at }) => at === null && !signed.signedKeys.includes(key))
    if (!canBeReleased(open, payout.items))
      refuse('second_operator_required', {
        msg: 'The last signature releases the payout, and must come from somebody who approved none of its withdrawals. The holders of the other keys approved one. They sign before you.',
      })
    const file = { psbt: signed.psbt, addedBy: actor.id, addedAt: nowMs }
    const kept = { ...signedNow, signed: [...payout.signed, { ...file, addedByName: actor.displayName }] }
    return commitWithFactor(call, act, {
      statements: [
        db.insert(payoutSignatures).values({
          payout: payout.id,
          version: newest.version,
          ...file,
        }),
        ...storeKeys,
      ],
      audit: [{ action: 'payout.signed', subject: payout.id, detail }],
      answer: accepted(toPayoutDetail(env, kept)),
    })
  }
  const { txid, raw } = signed
  const release = { txid, signed: raw, releasedBy: actor.id, releasedAt: nowMs }
  const answer = await commitWithFactor(call, act, {
    statements: [
      ...storeKeys,
      db
        .update(payoutTransactions)
        .set(release)
        .where(and(eq(payoutTransactions.payout, payout.id), eq(payoutTransactions.version, newest.version))),
    ],
    audit: [{ action: 'payout.released', subject: payout.id, detail: { ...detail, txid } }],
    answer: ok(
      toPayoutDetail(env, applyRelease(signedNow, newest, { ...release, releasedByName: actor.displayName })),
    ),
  })
  call.defer(() =>
    broadcastPayout(env, db, payout.id, nowMs).catch((error: unknown) => {
      console.error(JSON.stringify({ level: 'error', payout: payout.id, error: getLogMessage(error) }))
    }),
  )
  return answer
}

/** The payout as it is after the release. */
function applyRelease(
  payout: WholePayout,
  newest: VersionFacts,
  release: Pick<VersionFacts, 'txid' | 'signed' | 'releasedBy' | 'releasedByName' | 'releasedAt'>,
): WholePayout {
  const first = payout.state === 'built' ? release : payout
  return {
    ...payout,
    state: 'released',
    txid: payout.version === null ? release.txid : payout.txid,
    fee: payout.version === null ? newest.fee : payout.fee,
    releasedBy: first.releasedBy,
    releasedByName: first.releasedByName,
    releasedAt: first.releasedAt,
    versions: payout.versions.map((versionFacts) =>
      versionFacts.version === newest.version ? { ...versionFacts, ...release } : versionFacts,
    ),
  }
}

const VALID_MS = PAYOUT_VALID_HOURS * 3_600_000

function assertReleasable({ state, items }: WholePayout, newest: VersionFacts, nowMs: number): void {
  if (state === 'cancelled') refuse('already_decided', { msg: 'This payout was cancelled.' })
  if (newest.txid !== null || (state !== 'built' && state !== 'released')) refuse('already_decided')
  if (items.some(({ approver }) => approver === null))
    refuse('conflict', {
      msg: 'A withdrawal of this payout is no longer approved. Cancel the payout and build another one.',
    })
  if (newest.version === 1 && nowMs - newest.builtAt > VALID_MS)
    refuse('conflict', {
      msg: `This payout was built more than ${PAYOUT_VALID_HOURS} hours ago, at prices of that time. Cancel it and build another one.`,
    })
}

type SigningResult = {
  /** The keys that made its new signatures. */
  readonly made: readonly number[]
  /** Those that have now signed every input. */
  readonly signedKeys: readonly number[]
} & (
  | { readonly status: 'complete'; readonly txid: string; readonly raw: string }
  | { readonly status: 'partial'; readonly psbt: string }
)

/** Compares the signed transaction with the built one. Refuses every difference with a message that names it. */
async function checkSigned(
  call: ReleaseCall,
  payout: WholePayout,
  newest: VersionFacts,
): Promise<SigningResult> {
  const {
    env,
    body: { signed },
  } = call
  try {
    return payout.chain === 'bitcoin' ? checkSignedBitcoin(parseSignedFile(signed)) : checkSignedEthereum()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    // A transaction that pays something else is a sign of an error or of fraud.
    await call.commit({ audit: [{ action: 'payout.release_mismatched', subject: payout.id }] })
    return refuse('signed_differs', { msg: error.message, fields: { signed: error.message } })
  }

  function checkSignedBitcoin(file: string | Uint8Array): SigningResult {
    const network = getBitcoinConfiguration(env)?.network ?? 'mainnet'
    const whole = decodeBitcoinPayout(newest, payout.descriptor, network)
    const earlier = payout.signed.map(({ psbt }) => psbt)
    const combined = combinePayouts([...earlier, file], whole)
    const before = combinePayouts(earlier, whole)
    const isNew = (key: number) =>
      combined.inputs.some(({ keys }, i) => keys.includes(key) && !before.inputs[i]?.keys.includes(key))
    const made = whole.descriptor.keys.map((_, key) => key).filter(isNew)
    const signedKeys = made.filter((key) => combined.inputs.every(({ keys }) => keys.includes(key)))
    if (combined.status === 'complete')
      return { status: 'complete', txid: combined.txid, raw: combined.rawTransaction, made, signedKeys }
    // Kept without the earlier transactions, which the payout itself has.
    const inputs = whole.inputs.map(({ rawTransaction: _raw, ...coin }) => coin)
    const own = checkBitcoin(file, { ...whole, inputs })
    if (own.status === 'complete' || made.length === 0)
      return refuseField('signed', 'This file adds no signature. Please sign the payout first.')
    return { status: 'partial', psbt: own.psbt.base64, made, signedKeys }
  }

  function checkSignedEthereum(): SigningResult {
    const { from } = decodeEthereumOrder(newest.details)
    const { hash, raw } = checkEthereum(signed, { unsigned: newest.unsigned as `0x${string}`, from })
    return { status: 'complete', txid: hash.slice(2), raw: raw.slice(2), made: [0], signedKeys: [0] }
  }
}

/** Returns a file's text, or the PSBT joined from the texts of a hardware wallet's QR code, separated by blanks or new lines. */
function parseSignedFile(signed: string): string | Uint8Array {
  if (!/^ur:/i.test(signed)) return signed
  const scanner = new PsbtScanner()
  for (const text of signed.split(/\s+/)) {
    const psbt = scanner.receive(text)
    if (psbt !== null) return psbt
  }
  return refuseField('signed', 'Parts of the QR code are missing. Please scan it until it is complete.')
}
