import { FullScreenBox } from "fullscreen-ink";
import { Component, type ReactNode } from "react";
import { useJobControl } from "../hooks/use-job-control.ts";
import { useScreen } from "../hooks/use-screen.ts";
import type { Program } from "../src/app/core/program.ts";
import type { Theme } from "../src/ui/theme/theme.ts";
import { Screen, ThemeContext } from "./Screen.tsx";

interface AppProps {
	readonly program: Program;
	readonly theme: Theme;
}

export function App({ program, theme }: AppProps): ReactNode {
	const view = useScreen(program);
	useJobControl(program);
	return (
		<ThemeContext value={theme}>
			<FullScreenBox width={view.columns} height={view.rows}>
				<Screen view={view} />
			</FullScreenBox>
		</ThemeContext>
	);
}

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
