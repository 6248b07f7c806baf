import { Component, type ComponentType, type ReactNode } from 'react'
import { Crash } from './Crash.tsx'

interface Props {
  /** Where "Go home" leads. */
  home: string
  children: ReactNode
}

type State = { state: 'fine' } | { state: 'crashed'; message: string }

/** Around every island's root: a component that throws leaves words and a way home instead of a blank page. */
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

/** An island whose root is `Screen`, inside an error boundary. `home` is where "Go home" leads. */
export function withErrorBoundary(Screen: ComponentType, home = '/') {
  return function Island() {
    return (
      <ErrorBoundary home={home}>
        <Screen />
      </ErrorBoundary>
    )
  }
}
