import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead of the children; `retry` renders them again. */
  renderFallback: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** Catches render errors; React logs them itself. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === undefined
      ? this.props.children
      : this.props.renderFallback(error, () => this.setState({ error: undefined }));
  }
}
