/**
 * The other forms of an English word, as a careful reader would take them for the same word: plurals, the forms of verbs, and
 * the nouns that are made of them (-ion, -er, -or, -ment). Some of these forms do not exist ("podded"), which does no harm: no
 * text has them. The word itself is included.
 */
export function stemForms(word: string): string[] {
	if (!/^[a-z]{3,30}$/.test(word)) return [word];
	const singular = singularOf(word);
	const forms = new Set([word]);
	const bases = basesOf(singular);
	for (const family of FAMILIES) {
		if (!family.includes(word) && !family.includes(singular)) continue;
		for (const one of family) forms.add(one);
		bases.add(family[0] ?? "");
	}
	for (const base of bases) for (const form of formsOf(base)) forms.add(form);
	for (const alone of ALONE) if (!bases.has(alone)) for (const one of [alone, pluralOf(alone)]) forms.delete(one);
	return [...forms].sort();
}

/** Irregular forms of common words; the first word of each family is the one that the rules are applied to. */
const FAMILIES: readonly (readonly string[])[] = (
	"run ran running runner|write wrote written writing writer|build built building builder|break broke broken breaking|" +
	"find found finding|send sent sending sender|lose lost losing loss|throw threw thrown throwing|" +
	"choose chose chosen choosing choice|catch caught catching|hang hung hanging|freeze froze frozen freezing|" +
	"begin began begun beginning|make made making|take took taken taking|keep kept keeping|leave left leaving|" +
	"read reading reader|hide hid hidden hiding|drive drove driven driving driver|hold held holding|bind bound binding|" +
	"spend spent spending|think thought thinking|teach taught teaching|speak spoke spoken|steal stole stolen|" +
	"fail fails failed failing failure failures|close closes closed closing closure|expose exposed exposing exposure|" +
	"index indexes indices indexed indexing indexer|vertex vertices|matrix matrices|child children|leaf leaves|half halves|" +
	"analyze analyzes analyzed analyzing analyzer analysis analyses|parenthesis parentheses|hypothesis hypotheses|" +
	"authenticate authenticated authentication auth|remove removed removing removal|approve approved approving approval|" +
	"retrieve retrieved retrieving retrieval|renew renewed renewing renewal|die dies died dying|tie ties tied tying|" +
	"lie lies lied lying"
)
	.split("|")
	.map((family) => family.split(" "));

/** Words that only look like forms of others: "station" of "state", "evening" of "even". */
const ALONE: readonly string[] = (
	"station nation ration section question portion mission passion fashion motion notion lotion potion caution version " +
	"session pension mansion tension tradition condition position evening morning ceiling being during nothing something " +
	"anything everything string thing number member better letter matter corner master proper paper power water weather " +
	"whether rather another either neither never ever however over under order other customer character chapter " +
	"department apartment basement moment element comment document news speed seed need feed hundred indeed " +
	"stationer stater portioner manner conversation mention factor sector vector doctor motor actor tractor later latter finger winter summer dinner " +
	"center meter liter tower flower shower river silver fever clever series species always perhaps less unless " +
	"process access address progress success express business class pass miss loss cross press bus plus status focus bonus " +
	"virus this thus gas lens canvas atlas alias bias basis crisis axis oasis thesis does goes was has his its yes"
).split(" ");
const IS_ALONE: ReadonlySet<string> = new Set(ALONE);

function singularOf(word: string): string {
	if (IS_ALONE.has(word) || word.length < 4) return word;
	if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
	if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
	return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function pluralOf(word: string): string {
	if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
	return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** An ending, what may have stood in its place, and how long the word before it has to be. */
type EndingRule = readonly [ending: RegExp, before: readonly string[], least: number];

const ENDINGS: readonly EndingRule[] = [
	[/ied$/, ["y"], 2],
	[/ing$/, ["", "e"], 3],
	[/ed$/, ["", "e"], 3],
	[/er$/, ["", "e"], 3],
	[/ator$/, ["ate"], 3],
	[/(?<=[st])or$/, ["", "e"], 4],
	[/ication$/, ["y"], 2],
	[/ation$/, ["", "e"], 5],
	[/ition$/, ["e"], 5],
	[/(?<=[st])ion$/, ["", "e"], 3],
	[/ption$/, ["be"], 4],
	[/ution$/, ["ve"], 4],
	[/(?<=[aeiou])sion$/, ["de"], 3],
	[/(?<=n)sion$/, ["d"], 3],
	[/(?<=r)sion$/, ["t"], 3],
	[/(?<=mi)ssion$/, ["t"], 4],
	[/ment$/, [""], 4],
];

/** What a word may be a form of, the word itself among it. */
function basesOf(word: string): Set<string> {
	const bases = new Set([word]);
	if (IS_ALONE.has(word)) return bases;
	for (const [ending, replacements, least] of ENDINGS) {
		const root = word.replace(ending, "");
		if (root === word || root.length < least || !/[aeiouy]/.test(root)) continue;
		const isDoubled = /([bdfgklmnprtz])\1$/.test(root);
		for (const one of replacements) {
			const base = root + one;
			// A word of three letters in front of -er is rarely one: "order", "never".
			const isKnown = ending.source !== "er$" || base.length > 3;
			// "runninge" is nothing; "adding" is of "add".
			if (isKnown && !(isDoubled && one === "e")) bases.add(base);
		}
		if (isDoubled && replacements.includes("")) bases.add(root.slice(0, -1));
	}
	return bases;
}

function formsOf(base: string): string[] {
	const forms = [base, pluralOf(base)];
	const add = (root: string, ...endings: readonly string[]) => {
		for (const ending of endings) forms.push(root + ending);
	};
	const root = base.slice(0, -1);
	if (base.endsWith("e")) {
		add(base, "d", "r", "rs", "ment", "ments");
		add(root, "ing", "ings");
		if (/[ts]e$/.test(base)) add(root, "ion", "ions", "or", "ors");
		if (!base.endsWith("ate")) add(root, "ation", "ations");
		if (/(?:fin|pos)e$/.test(base)) add(root, "ition", "itions");
		if (/[ai]de$/.test(base)) add(base.slice(0, -2), "sion", "sions");
		if (base.endsWith("scribe")) add(base.slice(0, -2), "ption", "ptions");
		if (base.endsWith("olve")) add(base.slice(0, -2), "ution", "utions");
		return forms;
	}
	if (/[^aeiou]y$/.test(base)) {
		add(root, "ied", "ier", "iers", "ying", "yings");
		if (/[fl]y$/.test(base)) add(root, "ication", "ications");
		return forms;
	}
	const verbal = ["ed", "er", "ers", "ing", "ings"];
	add(base, ...verbal, "ment", "ments", "ation", "ations");
	if (/^[^aeiou]*[aeiou][bdfgklmnprtvz]$|[aeiou][lrtpm]$/.test(base)) add(base + base.slice(-1), ...verbal);
	if (/[cpriu]t$|st$|ss$/.test(base)) add(base, "ion", "ions", "or", "ors");
	if (/[nr]d$|rt$/.test(base)) add(root, "sion", "sions");
	if (base.endsWith("mit")) add(root, "ssion", "ssions");
	return forms;
}
