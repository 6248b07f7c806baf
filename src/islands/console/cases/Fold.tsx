import type { ReactNode } from 'react'
import { Panel } from '../../../design/Panel.tsx'
import { Skeleton } from '../../../design/Skeleton.tsx'
import styles from './Fold.module.css'

interface FoldProps {
  title: string
  /** The facts that matter most, shown while it is folded. Undefined while they load. */
  gist: ReactNode
  isOpen: boolean
  children: ReactNode
}

/** A part of a screen that folds under its title. */
export function Fold({ title, gist, isOpen, level: Heading, children }: FoldProps & { level: 'h2' | 'h3' }) {
  return (
    <details open={isOpen} className={styles.fold}>
      <summary>
        <Heading>{title}</Heading>
        <p className="soft">{gist === undefined ? <Skeleton width="long" /> : gist}</p>
      </summary>
      <div className="stack">{children}</div>
    </details>
  )
}

export interface FoldPanelProps extends Omit<FoldProps, 'isOpen'> {
  isInOrder: boolean
}

/** A panel that is folded while all is in order. */
export function FoldPanel({ isInOrder, ...props }: FoldPanelProps) {
  return (
    <section aria-label={props.title}>
      <Panel>
        <Fold {...props} level="h2" isOpen={!isInOrder} />
      </Panel>
    </section>
  )
}
