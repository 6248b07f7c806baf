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
    <Notice tone="caution" title="No reviewer has a key in use" {...link}>
      Investors’ browsers send their documents unencrypted, over the encrypted connection, and our server
      encrypts them as they arrive. A reviewer’s key that a colleague has approved changes that.
    </Notice>
  ) : (
    <Notice tone="caution" title="Nobody who reviews opens new documents" {...link}>
      The last key in use is that of {left.owner.name}, who reviews no more. Documents stay encrypted to it
      and to the recovery key, so that none comes unencrypted. As soon as another reviewer’s key is approved,
      it is retired: seal the documents anew then, with the recovery key.
    </Notice>
  )
}

/** Loads the keys itself, for the queue of identity documents. */
export function KeyNoticeAboveQueue() {
  const keys = useResource('reviewer keys', () => call(listReviewerKeys))
  return keys.state === 'ready' ? <KeyNotice keys={keys.data} linked /> : null
}
