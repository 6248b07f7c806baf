import { Info } from 'lucide-react'
import { joinClasses } from './classes.ts'
import styles from './InfoButton.module.css'

interface InfoButtonProps {
  /** The subject of its explanation, for screen readers. */
  label: string
  onClick: () => void
  className?: string | undefined
}

/** A small button beside a figure that opens its explanation. */
export function InfoButton({ label, onClick, className }: InfoButtonProps) {
  return (
    <button type="button" className={joinClasses(styles.button, className)} onClick={onClick}>
      <Info aria-hidden="true" size={15} />
      <span className="visually-hidden">{label}</span>
    </button>
  )
}
