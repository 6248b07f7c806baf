import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './CopyButton.module.css'

/** How long "Copied" stands, in milliseconds. */
const COPIED_MS = 2000

export interface CopyButtonProps {
  /** What goes to the clipboard. */
  text: string
  /** Names it for screen readers: "wallet address" makes "Copy wallet address". */
  what: string
  size?: 'small' | 'medium'
}

/**
 * Says "Copy", then "Copied" for two seconds. Where the browser does not let it copy, that is said beside it, and the
 * `<code>` next to it that shows the text is selected, so that one key or tap copies it.
 */
export function CopyButton({ text, what, size = 'small' }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('ready'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (button: HTMLElement) => {
    try {
      // Absent on a page that did not come by HTTPS.
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      selectBeside(button, text)
      setState('refused')
    }
  }
  return (
    <>
      <Button
        size={size}
        onClick={({ currentTarget }) => void copy(currentTarget)}
        title={state === 'copied' ? 'Copied' : 'Copy'}
        icon={
          state === 'copied' ? <Check aria-hidden="true" size={16} /> : <Copy aria-hidden="true" size={16} />
        }
      >
        {state === 'copied' ? 'Copied' : 'Copy'}
        <span className="visually-hidden"> {what}</span>
      </Button>
      <span role="status" className={state === 'refused' ? 'small' : 'visually-hidden'}>
        {state === 'copied' && `Copied ${what}`}
        {state === 'refused' && `Your browser did not allow it. Please copy the ${what} by hand.`}
      </span>
    </>
  )
}

/** Selects the text where it is shown. Spaces may stand in it, to be read in groups. */
function selectBeside(button: HTMLElement, text: string): void {
  const shown = button.closest(':has(code)')?.querySelector('code')
  if (shown && bare(shown.textContent) === bare(text)) getSelection()?.selectAllChildren(shown)
}

function bare(text: string): string {
  return text.replace(/\s/g, '')
}

export interface CopiedProps {
  text: string
  /** Names it for screen readers: "receiving address". */
  what: string
  /** In groups that can be compared by eye, for what somebody has to compare. */
  grouped?: boolean
  children?: ReactNode
}

/** An address or a transaction id in full, with its copy button: nobody types such a thing. */
export function Copied({ text, what, grouped = false, children }: CopiedProps) {
  return (
    <span className={styles.copied}>
      {grouped ? <Grouped text={text} /> : <code>{text}</code>}
      <CopyButton text={text} what={what} />
      {children}
    </span>
  )
}

/** Few enough to be held in the eye while one looks at the other text. */
const GROUP = /.{1,4}/gsu

/**
 * An address in groups of four that two people, or a screen and a device, can compare. The gaps are only drawn: selecting or
 * copying it gives the text without them.
 */
export function Grouped({ text }: { text: string }) {
  const groups = Array.from(text.matchAll(GROUP), ({ 0: group, index }) => ({ group, index }))
  return (
    <code className={styles.grouped}>
      {groups.map(({ group, index }) => (
        <span key={index}>{group}</span>
      ))}
    </code>
  )
}
