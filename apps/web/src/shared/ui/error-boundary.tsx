import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead; `retry` draws the children anew. */
  renderFallback: (error: Error, retry: () => void) => ReactNode;
  children: ReactNode;
}

/** React itself reports what is caught here. */
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
