"""The checker's word lists, our own writing: which words deny, which are opposites, which say the same thing.

Words stand here as a person would look them up; they are folded and stemmed with the tokeniser's own stemmer on
first use, so that the lists and the texts always meet in the same form.
"""

from __future__ import annotations

from functools import cache, lru_cache

from rag.text.tokens import tokenise

# One idea a line: "these | their opposites". A word may stand on several lines.
OPPOSITES = """
increase increases rise grow growth raise boost elevate elevated enlarge expand expansion gain amplify upregulate upregulation escalate augment heighten inflate more higher greater larger bigger high longer strengthen strengthens enhance enhances enhancement enhanced exceed | decrease decreases reduce reduction drop decline fall lower lowers lessen cut shrink diminish less fewer smaller low reduced shorten suppress suppression downregulate downregulation curtail weaken mitigate minimize attenuate lose loss alleviate shorter deplete depletion deflate halve
improve improves improvement better best superior outperform outperforms surpass beat beats win excel ameliorate strong stronger exceed top benefit benefits good positive positively | worsen worse worst inferior underperform degrade degradation deteriorate deterioration impair impairs impairment hurt harm harms weak weaker lag trail poor poorer bad fail suffer exacerbate aggravate negative negatively
faster fast quick quicker quickly rapid rapidly accelerate accelerates acceleration speedup speed hasten | slower slow slowly decelerate slowdown delay delays delayed prolong
promote promotes promotion enable enables activate activates activation induce induces stimulate stimulation facilitate encourage support favor trigger initiate potentiate | inhibit inhibits inhibition prevent prevents hinder hinders block blocks suppress suppresses impede impedes deactivate inactivate inactivation abolish repress discourage obstruct disrupt halt arrest disable counteract antagonize
including include includes | excluding exclude excludes
supervised | unsupervised
unlabeled unlabelled | labeled labelled annotated
centralized | decentralized federated
static fixed frozen | dynamic adaptive changing
online streaming | offline
local locally | global globally
linear linearly | nonlinear quadratic exponential quadratically exponentially
sublinear logarithmic | superlinear polynomial
sparse sparsity | dense
discrete | continuous
deterministic | stochastic random randomly probabilistic
synchronous | asynchronous
explicit explicitly | implicit implicitly
convex | nonconvex
finite | infinite
bounded | unbounded
upper | lower
maximum maximal maximize maximizes | minimum minimal minimize minimizes
early earlier before prior previously | late later after afterwards subsequently
first | last second
single one | multiple many several
same similar identical equal equivalent comparable | different dissimilar distinct unequal
simple simpler simplify easy easier | complex complicated complicate difficult hard harder challenging
small tiny compact | large big huge
short | long
cheap inexpensive | expensive costly
shallow | deep
narrow narrower narrows | wide wider broad broader widens broaden widen
positive positively | negative negatively
success successful successfully succeed succeeds | failure unsuccessful unsuccessfully fail fails failed
present presence | absent absence
possible able capable | impossible unable incapable
necessary required essential require requires need needs | unnecessary optional unneeded dispensable
sufficient enough adequate | insufficient inadequate
consistent consistently | inconsistent inconsistently
correct correctly right accurate accurately | incorrect incorrectly wrong inaccurate erroneous
safe safely | unsafe dangerous harmful
stable stability stabilize stabilizes | unstable instability destabilize destabilizes
efficient efficiently efficiency | inefficient inefficiently inefficiency
robust robustness | fragile brittle vulnerable vulnerability susceptible
known | unknown
seen | unseen
visible | invisible
biased bias | unbiased debiased
true | false
public publicly open | private closed proprietary
internal internally intrinsic | external externally extrinsic
homogeneous | heterogeneous
parallel simultaneously jointly | sequential sequentially separately independently
forward | backward reverse
sensitive sensitivity | insensitive insensitivity resistant resistance
responsive | unresponsive refractory
common frequent frequently often | rare rarely infrequent seldom uncommon
always | never sometimes occasionally
major significant significantly substantial substantially considerable dramatically | minor insignificant negligible marginal marginally slightly modest
all every entire fully completely entirely whole | some partial partially few none
increase gain | loss
remove removes removal delete eliminate eliminates eliminating discard drop avoid avoids | add adds addition introduce introduces insert keep retain preserve preserves maintain
attract | repel
protect protects protective protection | endanger expose
survive survival | die death mortality
benign | malignant
acute | chronic
agonist | antagonist
healthy | diseased sick
gain | lose
accept accepts acceptance | reject rejects rejection
agree agreement align aligned | disagree disagreement conflict misaligned
overestimate overestimates | underestimate underestimates
overfit overfitting | underfit underfitting
underlying | superficial
converge converges convergence | diverge diverges divergence
compress compression | decompress
encode encoder | decode decoder
coarse | fine
black | white
left | right
inner | outer
input inputs | output outputs
train training | test testing inference
teacher | student
source | target
attacker attack attacks adversary | defender defense defence defenses
precision | recall
strengthen | weaken
win wins | lose loses
proof prove proves | disprove disproves refute refutes
confirm confirms corroborate | refute refutes contradict contradicts
dependent depends dependence | independent independence
homozygous | heterozygous
hyper hyperactive | hypo hypoactive
men male males | women female females
mother maternal | father paternal
"""

SYNONYMS = """
show demonstrate reveal find report indicate prove establish verify observe confirm illustrate suggest exhibit display evidence
propose introduce present develop design describe devise offer contribute create build
method approach framework technique algorithm system model scheme strategy procedure pipeline mechanism paradigm
use employ utilize leverage exploit apply adopt rely harness via through using
improve enhance boost strengthen advance increase raise benefit better ameliorate
reduce decrease lower cut lessen diminish shrink mitigate alleviate minimize drop decline trim lessening save
increase raise grow rise elevate boost expand enlarge gain higher more greater up
outperform surpass exceed beat superior better best overtake outdo outperforms excel outstrip
faster speedup accelerate quicker speed acceleration fast rapid quick rapidly quickly hasten latency-reduction
slow slower slowdown sluggish
achieve attain obtain reach yield deliver get gain produce provide realize
allow enable permit let support facilitate make possible
require need demand necessitate must
large big huge substantial considerable significant massive great major sizeable vast
small tiny little minor compact modest lightweight
many several multiple numerous various diverse wide varied range
whole entire full complete all every
important crucial critical key essential vital central fundamental significant
hard difficult challenging tough nontrivial challenge
simple easy straightforward basic plain
problem issue challenge difficulty limitation shortcoming bottleneck obstacle
result outcome finding experiment evaluation empirical evidence
test evaluate assess measure examine benchmark evaluation experiment
benchmark dataset task suite testbed corpus
compare comparison versus vs relative against than over contrast
baseline competitor alternative counterpart prior existing previous state-of-the-art sota rival conventional current earlier
performance accuracy quality effectiveness result
cost expense overhead price budget
compute computation computational processing
memory storage footprint
train training learn learning fit
learn acquire train
infer inference predict prediction deduce forecast
generate produce create synthesize generation output synthesis
text language linguistic
image visual vision picture photo
video clip
audio sound speech acoustic
robust resilient stable reliable robustness
reliable trustworthy dependable
fast efficient quick rapid
efficient economical lightweight effective cheap inexpensive efficiency
effective successful useful efficacy beneficial effectiveness
new novel unprecedented
first initial
error mistake failure fault inaccuracy
incorrect wrong erroneous flawed false mistaken
correct right accurate true
guarantee ensure assure certify certificate provable guarantees
bound limit constrain
optimal best optimum
analyze study investigate examine explore analysis inspect research
explain interpret account understand clarify interpretation
cause lead induce trigger produce result bring drive
affect influence impact effect
relate associate correlate link connect association correlation relationship
risk danger hazard likelihood probability chance odds
human person people user individual participant annotator
patient subject individual person
agent assistant
llm llms language
parameter weight
token word
step iteration stage phase
part component portion piece section segment
combine integrate merge fuse unify blend join incorporate
separate split divide decompose break partition decouple disentangle
select choose pick selection
remove eliminate discard drop prune delete omit
avoid prevent eliminate circumvent bypass without obviate free
keep preserve retain maintain hold conserve
change alter modify shift vary adjust adapt transform edit
replace substitute swap
extend generalize expand broaden
transfer generalize carry
match rival comparable equal par equivalent
similar alike comparable analogous akin close
different distinct varied diverse differing
often frequently commonly typically usually generally
rare infrequent uncommon seldom
only solely merely just exclusively
main primary principal chief major
identify detect discover find recognize locate pinpoint
recover reconstruct restore
represent encode describe capture embed representation
capture model reflect
guide steer direct control
select filter screen
fail struggle suffer falter
capability ability capacity skill
knowledge information
question query
answer response reply
document text passage article
retrieve search fetch retrieval
dataset data corpus
sample example instance datapoint
label annotation annotate
noise noisy
attack adversarial adversary
defend protect defense guard safeguard
private privacy
secure safe security safety
fair unbiased fairness
bias skew
theory theoretical theoretically formal formally
proof prove
assume assumption premise
graph network
node vertex
gap difference discrepancy mismatch disparity
open-source release public publicly available
code implementation
time duration runtime latency
long lengthy extended
short brief
reason reasoning think thought
plan planning
speed throughput velocity pace
scale size magnitude
domain field area
scenario setting case situation environment condition regime
consistent steady uniform stable
hallucination fabricate fabrication hallucinate
harm hurt degrade damage impair worsen
collapse degenerate
quantify measure estimate compute calculate
approximate estimate
tumor tumour cancer carcinoma neoplasm malignancy
drug medication medicine treatment therapy agent
treat therapy treatment intervention
cell cells cellular
mouse mice murine
rat rats
child children pediatric infant infants
gene genetic genes
protein polypeptide
mutation variant polymorphism
death mortality die fatal lethal
survive survival lifespan longevity life
disease disorder illness condition
infection infected infect
deficiency lack loss deletion depletion knockout absence ablation deficient lacking
expression express expressed
activate activation stimulate trigger
inhibit suppress block inhibition repress impede
promote encourage facilitate stimulate drive foster favor
bind interact binding interaction
regulate control modulate regulation mediate
decline deteriorate worsen
obesity obese overweight
heart cardiac cardiovascular
brain cerebral neural
liver hepatic
kidney renal
lung pulmonary
blood serum plasma
bone skeletal
skin dermal epidermal
stomach gastric
breast mammary
elderly old aged older
woman women female
man men male
usage use
aim goal objective purpose
core heart center central
half fifty 50%
double twofold twice 2x
triple threefold thrice 3x
concurrent parallel simultaneous simultaneously jointly
automatic automatically automated
manual manually hand
additional extra further more
without free no
"""

# Turn what follows them into its denial, up to the end of the clause.
NEGATORS = frozenset(
    "not no never none neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't "
    "wouldn't couldn't shouldn't hasn't haven't nobody nothing nowhere hardly scarcely barely n't cant dont doesnt".split()
)
# Deny more softly: enough to answer a plain "not", too little to contradict one.
SOFT_NEGATORS = frozenset(
    "fail fails failed failing lack lacks lacking lacked absence absent unable avoid avoids avoiding avoided eliminate "
    "eliminates eliminating eliminated remove removes removing obviate obviates obviating bypass bypasses bypassing "
    "prevent prevents preventing free rather instead unlike rarely seldom little few neglect neglects neglecting ignore "
    "ignores ignoring insufficient unlikely impossible forgo forgoing circumvent circumvents circumventing dispense "
    "independent agnostic struggle struggles refuse refuses exclude excludes excluding devoid zero deficiency "
    "loss deletion deficient".split()
)

BOUNDARIES = frozenset(
    "but however while whereas although though which because since yet unless despite".split()
)
PASSIVE_AUXILIARIES = frozenset("is are was were be been being get gets got".split())
SELF = frozenset("we our ours us it its this these they their".split())
LEANING = frozenset("it its this these those they them their such both former latter".split())

HEDGES = frozenset(
    "may might could can possibly potentially perhaps likely probably suggest suggests suggesting appear appears seem "
    "seems potential hypothesize hypothesise conjecture partially partly sometimes tend tends approximately aim aims "
    "hope expected".split()
)
UNIVERSALS = frozenset(
    "all every always each any entire entirely completely fully universally invariably never none".split()
)
PARTIALS = frozenset(
    "some most many several often sometimes usually typically generally mostly few part partially certain".split()
)
STRENGTHENERS = frozenset(
    "only solely exclusively first best guarantee guarantees guaranteed proves prove proven optimal optimally perfect "
    "perfectly must always never state-of-the-art sota significantly dramatically exactly definitively will".split()
)

# What one wants more of, and less of: "improves" raises the former and lowers the latter.
DESIRED = frozenset(
    "accuracy performance quality robustness throughput fidelity efficiency stability precision recall f1 score reward "
    "coverage safety fairness diversity generalization consistency alignment speed scalability reliability survival "
    "calibration faithfulness utility speedup success auc privacy".split()
)
UNWANTED = frozenset(
    "error errors latency cost costs memory overhead loss hallucination hallucinations bias variance regret time "
    "complexity noise failure failures footprint abstention mortality risk perplexity runtime toxicity forgetting "
    "redundancy energy pain burden delay uncertainty disparity gap".split()
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The tokeniser's stem of one folded word."""
    tokens = tokenise(word)
    return tokens[0].stem if len(tokens) == 1 else word


@cache
def poles() -> dict[str, tuple[tuple[int, int], ...]]:
    """stem -> ((axis, +1 or -1), ...): two words with one axis and different signs are opposites."""
    table: dict[str, list[tuple[int, int]]] = {}
    for axis, line in enumerate(OPPOSITES.strip().splitlines()):
        for sign, side in zip((1, -1), line.split("|"), strict=True):
            for word in side.split():
                pole = (axis, sign)
                held = table.setdefault(stem(word), [])
                if pole not in held:
                    held.append(pole)
    return {word: tuple(held) for word, held in table.items()}


@cache
def groups() -> dict[str, frozenset[int]]:
    """stem -> the synonym lines it stands on."""
    table: dict[str, set[int]] = {}
    for number, line in enumerate(SYNONYMS.strip().splitlines()):
        for word in line.split():
            table.setdefault(stem(word), set()).add(number)
    return {word: frozenset(held) for word, held in table.items()}


@cache
def stems(words: frozenset[str]) -> frozenset[str]:
    """A word list as stems."""
    return frozenset(stem(word) for word in words)


def opposed(first: str, second: str) -> bool:
    """Whether two stems stand on the two sides of one axis, and never on the same side of any."""
    ours, theirs = poles().get(first, ()), poles().get(second, ())
    if not ours or not theirs or first == second:
        return False
    flipped = {(axis, -sign) for axis, sign in ours}
    return bool(flipped.intersection(theirs)) and not set(ours).intersection(theirs)


def synonymous(first: str, second: str) -> bool:
    mine = groups().get(first)
    return bool(mine and mine.intersection(groups().get(second, frozenset())))


# Words that stand in almost every English sentence: without any, a longer text is in another language.
FUNCTION_WORDS = frozenset(
    "the a an of in on at to for from by with and or as is are was were be been it its this that we our their than can has "
    "have not no which when while between into using through over more less".split()
)
