import { listReviewerKeys, type ReviewerKey } from '../../../contract/console/reviewerKeys.ts'
import { ButtonLink } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'

/** Warns if no reviewer's key opens new documents. */
export function KeyNotice({ keys, linked = false }: { keys: readonly ReviewerKey[]; linked?: boolean }) {
  const active = keys.filter(({ status }) => status === 'active')
  const [left] = active
  const link = linked && {
    actions: (
      <ButtonLink href="/operator/keys" size="small">
        Document keys
      </ButtonLink>
    ),
  }
  if (active.some(({ ownerReviews }) => ownerReviews)) return null
  return left === undefined ? (
    <Notice tone="caution" title="No reviewer has an active key" {...link}>
      Investors’ browsers send documents over HTTPS without encrypting them first, and our server encrypts
      them when they arrive. Once a reviewer’s key is approved, browsers encrypt documents themselves.
    </Notice>
  ) : (
    <Notice tone="caution" title="No reviewer can open new documents" {...link}>
      The only active key belongs to <bdi>{left.owner.name}</bdi>, who is no longer a reviewer. New documents
      are still encrypted to it and to the recovery key. It is retired when another reviewer’s key is
      approved. Then encrypt the documents again with the recovery key.
    </Notice>
  )
}

/** Loads the keys itself, for the queue of identity documents. */
export function KeyNoticeAboveQueue() {
  const keys = useResource('reviewer keys', () => call(listReviewerKeys))
  return keys.state === 'ready' ? <KeyNotice keys={keys.data} linked /> : null
}
