import { Component, type ReactNode } from "react";

interface BoundaryProps {
	/** Called with what a component below threw while rendering; the screen stays empty from then on. */
	readonly onError: (error: unknown) => void;
	readonly children: ReactNode;
}

/** Catches rendering errors. Ink's own boundary would draw them on the alternate screen, which is about to be left. */
export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
	override state = { failed: false };

	static getDerivedStateFromError(): { readonly failed: boolean } {
		return { failed: true };
	}

	override componentDidCatch(error: unknown): void {
		this.props.onError(error);
	}

	override render(): ReactNode {
		return this.state.failed ? null : this.props.children;
	}
}
