import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './CopyButton.module.css'

/** How long "Copied" is shown, in milliseconds. */
const COPIED_MS = 2000

export interface CopyButtonProps {
  text: string
  /** Describes the text for screen readers: "wallet address" makes "Copy wallet address". */
  what: string
  size?: 'small' | 'medium'
}

/**
 * Shows "Copy", then "Copied" for two seconds. If the browser refuses, it says so and selects the neighbouring `<code>`
 * with the text, ready for manual copying.
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
      // `navigator.clipboard` is undefined without HTTPS.
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
        <span>{state === 'copied' ? 'Copied' : 'Copy'}</span>
        <span className="visually-hidden"> {what}</span>
      </Button>
      <span role="status" className={state === 'refused' ? 'small' : 'visually-hidden'}>
        <span>{state === 'copied' && `Copied ${what}`}</span>
        <span>
          {state === 'refused' && `Your browser did not allow it. Please copy the ${what} by hand.`}
        </span>
      </span>
    </>
  )
}

/** Selects the displayed text, which may contain grouping spaces. */
function selectBeside(button: HTMLElement, text: string): void {
  const shown = button.closest(':has(code)')?.querySelector('code')
  if (shown && stripSpaces(shown.textContent) === stripSpaces(text)) getSelection()?.selectAllChildren(shown)
}

function stripSpaces(text: string): string {
  return text.replace(/\s/g, '')
}

export interface CopiedProps {
  text: string
  what: string
  /** Grouped, for text that people compare by eye. */
  grouped?: boolean
  children?: ReactNode
}

/** An address or a transaction id in full, with its copy button. */
export function Copied({ text, what, grouped = false, children }: CopiedProps) {
  return (
    <span className={styles.copied}>
      {grouped ? <Grouped text={text} /> : <code translate="no">{text}</code>}
      <CopyButton text={text} what={what} />
      {children}
    </span>
  )
}

/** Short enough to remember while looking at the other text. */
const GROUP = /.{1,4}/gsu

/** An address in groups of four, for comparison by eye. The gaps are visual only: copied text has none. */
export function Grouped({ text }: { text: string }) {
  const groups = Array.from(text.matchAll(GROUP), ({ 0: group, index }) => ({ group, index }))
  return (
    <code translate="no" className={styles.grouped}>
      {groups.map(({ group, index }) => (
        <span key={index}>{group}</span>
      ))}
    </code>
  )
}
