import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { joinClasses } from '../../../design/classes.ts'
import styles from './cases.module.css'

interface FiltersButtonProps {
  text?: string
  /** How many filters are set. */
  count: number
  /** Whether there is nothing to show and hide with a wide window. */
  isPhoneOnly: boolean
  isOpen: boolean
  /** The id of the filters. */
  controls: string
  onToggle: () => void
}

/** "Filters (2)": shows and hides the filters. */
export function FiltersButton({ text = 'Filters', count, isPhoneOnly, ...props }: FiltersButtonProps) {
  return (
    <Button
      size="small"
      {...(isPhoneOnly && { className: styles.toolsButton })}
      icon={<SlidersHorizontal aria-hidden="true" size={16} />}
      aria-expanded={props.isOpen}
      aria-controls={props.controls}
      onClick={props.onToggle}
    >
      {count === 0 ? text : `${text} (${count})`}
    </Button>
  )
}

/** Filters that stand behind one button on a phone, so that the list begins in the first screen. */
export function PhoneFilters({ count, children }: { count: number; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.bar} data-open={isOpen || undefined}>
      <FiltersButton
        count={count}
        isPhoneOnly
        isOpen={isOpen}
        controls={id}
        onToggle={() => setOpen(!isOpen)}
      />
      <div id={id} className={joinClasses(styles.tools, styles.wholeRow)}>
        {children}
      </div>
    </div>
  )
}
