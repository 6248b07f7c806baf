import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../contract/numbers.ts'
import { Button } from '../../../design/Button.tsx'
import { LoadFailure, Notice } from '../../../design/Notice.tsx'
import { Panel } from '../../../design/Panel.tsx'
import { describeFailure } from '../../lib/ApiFailure.ts'
import { useSearchParams } from '../../lib/url.ts'
import { type LogComparison, type MailedHead, verifyLog, WHY } from './verifyLog.ts'

type State =
  | { state: 'idle' }
  | { state: 'running'; compared: LogComparison | null; cancel: () => void }
  | { state: 'failed'; msg: string }
  | { state: 'done'; compared: LogComparison }

const MOST_SHOWN = 100

interface VerifyProps {
  /** Shows only this line in the log. */
  onChosen: (line: string) => void
}

/** Compares the log with its seals and lists altered lines. */
export function Verify({ onChosen }: VerifyProps) {
  const [state, setState] = useState<State>({ state: 'idle' })
  const head = parseMailedHead(useSearchParams())
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const show = (compared: LogComparison | null) =>
      setState({ state: 'running', compared, cancel: () => controller.abort() })
    show(null)
    try {
      setState({ state: 'done', compared: await verifyLog(show, controller.signal, head) })
    } catch (error) {
      setState({ state: 'failed', msg: describeFailure(error) })
    }
  }
  return (
    <Panel title="Check that the log was not changed">
      <p>
        Every line is sealed together with all earlier lines, soon after it is written. The check compares the
        lines with the seals and lists each one that was changed, deleted, inserted or moved.
      </p>
      {head !== null && (
        <p>
          The check includes the mailed head of line {formatNumber(Number(head.seq))}:{' '}
          <code translate="no">{head.hash}</code>
        </p>
      )}
      {state.state === 'running' && (
        <p role="status">
          {state.compared === null ? 'Checking…' : `${formatLineCount(state.compared.lines)} checked so far…`}
        </p>
      )}
      {state.state === 'failed' && <LoadFailure msg={state.msg} onRetry={start} />}
      {state.state === 'done' && <HeadVerdict head={state.compared.head} />}
      {state.state === 'done' && <Verdict {...state.compared} onChosen={onChosen} />}
      <div className="row">
        {state.state === 'running' ? (
          <Button onClick={state.cancel}>Stop</Button>
        ) : (
          state.state !== 'failed' && (
            <Button onClick={start}>{state.state === 'done' ? 'Check again' : 'Check all lines'}</Button>
          )
        )}
      </div>
    </Panel>
  )
}

/** The head in the URL: the daily mail to the witness links to it. */
function parseMailedHead(query: URLSearchParams | null): MailedHead | null {
  const seq = query?.get('seq') ?? ''
  const hash = query?.get('hash') ?? ''
  return /^\d{1,15}$/.test(seq) && /^[0-9a-f]{64}$/.test(hash) ? { seq, hash } : null
}

function HeadVerdict({ head }: Pick<LogComparison, 'head'>) {
  if (head === undefined) return null
  return head ? (
    <Notice tone="success">The mailed head is part of the chain.</Notice>
  ) : (
    <Notice tone="danger" title="The mailed head is not part of the chain">
      <p>
        The log and its seals were rewritten after that mail was sent. Keep the mail, and follow “Tampering
        was found” in docs/runbook.md.
      </p>
    </Notice>
  )
}

function Verdict({ lines, broken, complete, onChosen }: LogComparison & VerifyProps) {
  const extent = complete ? `${formatLineCount(lines)} checked` : `Stopped after ${formatLineCount(lines)}`
  if (broken.length === 0) {
    return (
      <Notice tone={complete ? 'success' : 'info'} live>
        {complete ? `${extent}. None was changed.` : `${extent}. None of them was changed.`}
      </Notice>
    )
  }
  return (
    <Notice
      tone="danger"
      live
      title={`${extent}: ${broken.length === 1 ? 'one problem' : `${formatNumber(broken.length)} problems`} found`}
    >
      <p>
        Somebody changed the database directly. Keep this list, and follow “Tampering was found” in
        docs/runbook.md.
      </p>
      <ul>
        {broken.slice(0, MOST_SHOWN).map(({ seq, why }) => (
          <li key={`${seq} ${why}`}>
            <a
              href={`/operator/audit-log?line=${seq}`}
              onClick={(event) => {
                // A page load would lose this list.
                event.preventDefault()
                onChosen(String(seq))
                document.getElementById('main')?.focus()
              }}
            >
              Line {formatNumber(seq)}
            </a>
            : {WHY[why]}
          </li>
        ))}
      </ul>
      {broken.length > MOST_SHOWN && <p>And {formatNumber(broken.length - MOST_SHOWN)} more.</p>}
    </Notice>
  )
}

function formatLineCount(lines: number): string {
  return lines === 1 ? 'One line' : `${formatNumber(lines)} lines`
}
