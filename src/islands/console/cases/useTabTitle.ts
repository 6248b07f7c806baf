import { atom } from 'nanostores'
import { useEffect } from 'react'

/** The title of the open case. Null if no case is open. */
export const $caseTitle = atom<string | null>(null)

/** Puts the title of the open case before that of the page, so that the tab and the browser's history name it. */
export function useTabTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return
    $caseTitle.set(title)
    return () => $caseTitle.set(null)
  }, [title])
}
