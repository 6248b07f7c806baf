import { Component, type ComponentType, type ReactNode } from 'react'
import { ButtonLink } from './Button.tsx'
import styles from './ErrorBoundary.module.css'

interface Props {
  /** The target of "Go home". */
  home: string
  children: ReactNode
}

type State = { state: 'fine' } | { state: 'crashed'; message: string }

/** Wraps every island's root: a component that throws leaves a message and a link home instead of a blank page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { state: 'fine' }

  static getDerivedStateFromError(error: unknown): State {
    return { state: 'crashed', message: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    if (this.state.state === 'fine') return this.props.children
    return <Crash message={this.state.message} home={this.props.home} />
  }
}

/** Wraps an island's root `Screen` in an error boundary. `home` is the target of "Go home". */
export function withErrorBoundary(Screen: ComponentType, home = '/') {
  return function Island() {
    return (
      <ErrorBoundary home={home}>
        <Screen />
      </ErrorBoundary>
    )
  }
}

/** Shown when a page or a part of it cannot continue: the message and a link home. */
export function Crash({ message, home }: { message: string; home: string }) {
  return (
    <div className={styles.crash} role="alert">
      {/* The logo upside down. */}
      <svg className={styles.picture} viewBox="0 0 120 40" aria-hidden="true">
        <g className={styles.overturned}>
          <use className={styles.ink} href="#logo-ink" />
          <use className={styles.accent} href="#logo-accent" />
        </g>
      </svg>
      <h2 className={styles.title}>Unexpected Application Error!</h2>
      <p className={styles.message}>{message}</p>
      <p className={styles.ways}>
        <ButtonLink href={home} variant="primary">
          Go home
        </ButtonLink>
        <ButtonLink href="/contact-us">Contact us</ButtonLink>
      </p>
    </div>
  )
}
