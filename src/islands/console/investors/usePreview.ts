import { useEffect, useState } from 'react'
import { previewNotification } from '../../../contract/console/investors.ts'
import { failureWords } from '../../lib/ApiFailure.ts'
import { call } from '../../lib/api.ts'

const REST_MS = 400

type Answer = { state: 'ready'; content: string; bytes: number } | { state: 'refused'; msg: string }

/** What the server would store of the content. While it is asked the preview before stands, as old. */
export type Preview = { state: 'blank' } | { state: 'loading' } | (Answer & { isOld: boolean })

/** What the server would store, asked for once the fingers rest. */
export function usePreview(content: string): Preview {
  const [known, setKnown] = useState<{ of: string; answer: Answer } | null>(null)
  const wanted = content.trim()
  useEffect(() => {
    if (wanted === '') return
    let isCurrent = true
    const take = (answer: Answer) => {
      if (isCurrent) setKnown({ of: wanted, answer })
    }
    const timer = setTimeout(() => {
      call(previewNotification, { body: { content: wanted }, quiet: true }).then(
        (answer) => take({ state: 'ready', ...answer }),
        (error: unknown) => take({ state: 'refused', msg: failureWords(error) }),
      )
    }, REST_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted])
  if (wanted === '') return { state: 'blank' }
  return known === null ? { state: 'loading' } : { ...known.answer, isOld: known.of !== wanted }
}
