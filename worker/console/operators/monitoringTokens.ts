import { and, desc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/monitoring.ts'
import { DAY_MS } from '../../../src/time.ts'
import { newKey } from '../../http/accessKeys.ts'
import { type ActorCall, type CallOf, created, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { addStep, parseSteps, selectHistory } from '../../http/steps.ts'
import { newId, sha256Hex } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { monitoringTokens } from '../../lib/tables/operators.ts'

const MOST_LISTED = 50
const MOST_VALID = 20

function readTokens({ db }: ActorCall) {
  return db
    .select({
      ...getTableColumns(monitoringTokens),
      steps: selectHistory(
        { step: 'created', at: sql`monitoring_tokens.created_at`, by: sql`monitoring_tokens.created_by` },
        { step: 'revoked', at: sql`monitoring_tokens.revoked_at`, by: sql`monitoring_tokens.revoked_by` },
      ),
    })
    .from(monitoringTokens)
}

type TokenFacts = Omit<
  Awaited<ReturnType<typeof readTokens>>[number],
  'seq' | 'tokenHash' | 'createdBy' | 'revokedBy'
>

export async function listMonitoringTokens(call: CallOf<typeof contract.listMonitoringTokens>) {
  const rows = await readTokens(call).orderBy(desc(monitoringTokens.seq)).limit(MOST_LISTED)
  return ok(rows.map(toTokenRow))
}

export async function loadMonitoringToken(call: ActorCall): Promise<TokenFacts> {
  const [found] = await readTokens(call).where(eq(monitoringTokens.id, call.params.id ?? ''))
  return found ?? refuse('not_found')
}

/** Creates a token and answers it, this once. One administrator suffices: it opens neither people nor money. */
export async function createMonitoringToken(call: CallOf<typeof contract.createMonitoringToken>) {
  const { db, actor, nowMs, body } = call
  const { revokedAt, expiresAt } = monitoringTokens
  const valid = await db.$count(monitoringTokens, and(isNull(revokedAt), gt(expiresAt, nowMs)))
  if (valid >= MOST_VALID)
    refuse('conflict', { msg: `${MOST_VALID} tokens are valid. Please revoke one first.` })
  const token = newKey('monitoring')
  const facts = {
    id: newId(),
    name: body.name,
    createdAt: nowMs,
    expiresAt: nowMs + Number(body.days) * DAY_MS,
  }
  const steps = addStep('[]', 'created', call)
  const row = toTokenRow({ ...facts, steps, lastUsedAt: null, revokedAt: null })
  return call.commit({
    statements: [
      db
        .insert(monitoringTokens)
        .values({ ...facts, tokenHash: await sha256Hex(token), createdBy: actor.id }),
    ],
    audit: [{ action: 'monitoring_token.created', subject: facts.id, detail: { name: body.name } }],
    answer: created({ ...row, token }),
  })
}

export async function revokeMonitoringToken(
  call: CallOf<typeof contract.revokeMonitoringToken>,
  facts: TokenFacts,
) {
  const { db, actor, nowMs } = call
  if (facts.revokedAt !== null) refuse('already_decided', { msg: 'This token is already revoked.' })
  return call.commit({
    statements: [
      db
        .update(monitoringTokens)
        .set({ revokedBy: actor.id, revokedAt: nowMs })
        .where(eq(monitoringTokens.id, facts.id)),
    ],
    audit: [{ action: 'monitoring_token.revoked', subject: facts.id, detail: { name: facts.name } }],
    answer: ok(toTokenRow({ ...facts, revokedAt: nowMs, steps: addStep(facts.steps, 'revoked', call) })),
  })
}

function toTokenRow(facts: TokenFacts): contract.MonitoringToken {
  return {
    _id: facts.id,
    name: facts.name,
    createdAt: toIso(facts.createdAt),
    expiresAt: toIso(facts.expiresAt),
    lastUsedAt: toIsoOrNull(facts.lastUsedAt),
    revokedAt: toIsoOrNull(facts.revokedAt),
    steps: parseSteps(facts.steps),
  }
}
