import type { AloneWithin, SecondOperatorReason } from '../../../contract/console/cases.ts'
import { formatUsd } from '../../../contract/money.ts'

const REASONS: Record<SecondOperatorReason, (alone: AloneWithin) => string> = {
  limit: ({ limit, used }) =>
    used === 0
      ? `It is above ${formatUsd(limit)}, which one operator pays alone.`
      : `You paid this investor ${formatUsd(used)} alone in the last 24 hours, of ${formatUsd(limit)} that one operator may.`,
  daily_ceiling: ({ day }) =>
    `You paid ${formatUsd(day.used)} alone in the last 24 hours, to all investors together. Your daily ceiling is ${formatUsd(day.limit)}.`,
  credited: () => 'You credited this investor.',
  identified: () => 'You approved this investor’s identity.',
  no_price: () => 'There is no market price now.',
}

/** Why a withdrawal takes a second operator: one sentence for each reason. */
export function secondOperatorWords(alone: AloneWithin): string {
  return alone.reasons.map((reason) => REASONS[reason](alone)).join(' ')
}

/** What whoever looks may pay alone, or why they need a colleague. */
export function aloneWords(alone: AloneWithin): string {
  const { limit, used, day, needsTwo } = alone
  return needsTwo
    ? `This one needs two operators: whoever approves it cannot pay it. ${secondOperatorWords(alone)}`
    : `You can pay this one alone: you paid this investor ${formatUsd(used)} of ${formatUsd(limit)}, and all investors ${formatUsd(day.used)} of ${formatUsd(day.limit)}, in the last 24 hours.`
}
