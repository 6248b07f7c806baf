import { CaseWaiting } from './CaseWaiting.tsx'

/** What the address names may still come with the list; or the list does not hold it. */
export function CaseMissing({ what, isListLoading }: { what: string; isListLoading: boolean }) {
  if (isListLoading) return <CaseWaiting what={what} />
  return <p>This is not in the list. Another filter, or “Show more”, may have it.</p>
}
