import { useEffectEvent, useLayoutEffect, useState } from 'react'
import type { FormProps } from '../../design/Form.tsx'
import { type DraftValues, draftOf, dropDraft } from './drafts.ts'
import type { FileField } from './fileField.ts'

interface TakingUp {
  draft?: string
  fitDraft?: (values: DraftValues) => DraftValues
  file?: FileField
}

/** Fills in what was typed before the page was left, says so above the fields, and offers to begin anew instead. */
export function useTakenUp(
  { draft, fitDraft = (values) => values, file }: TakingUp,
  form: { fill: (values: DraftValues) => boolean; reset: () => void },
): FormProps['takenUp'] {
  const [words, setWords] = useState<string | null>(null)
  const takeUp = useEffectEvent(() => {
    const kept = draft === undefined ? undefined : draftOf(draft)
    if (kept === undefined) return
    const isFilled = form.fill(fitDraft(kept.values))
    if (isFilled) file?.askAgain()
    if (kept.open) setWords(MAYBE_SENT)
    else if (isFilled) setWords(BACK)
  })
  // Before anything is painted, so that nothing moves; not while it is drawn, since the page was built without.
  useLayoutEffect(() => takeUp(), [])
  if (draft === undefined || words === null) return null
  return {
    words,
    onDrop: () => {
      dropDraft(draft)
      form.reset()
      file?.empty()
      setWords(null)
    },
  }
}

const BACK = 'What you typed here before is back. This tab kept it until you send it or log out.'
const MAYBE_SENT =
  'What you typed here before is back. No answer came when you sent it: look into your history, or send it again unchanged, which never does it twice.'
