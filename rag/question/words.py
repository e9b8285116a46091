"""The words that make a question: who asks for what, in which language, and which of its words carry no topic.

Patterns are read over a lower-cased question. English is covered closely; Chinese, German, French and Spanish by their
question words, since the abstracts behind them are mostly English and only names, numbers and shared words match.
"""

from __future__ import annotations

import re
from typing import Final

FRAME: Final = frozenset(
    """
    a about above abstract abstracts according anything everything discuss discusses talk talks deal deals
    claim claims cover covers concern concerns form forms side sides overview corpus collection available
    everyone achieve achieved achieves actual actually address after again against all also am among an and
    answer any anybody anyone are article as asker at author authors away back be because been before being
    besides between both but by can case come comes could describe describes described did different do does
    doing done each either ever every exactly example explain find finds for from further gave get gets
    getting give given gives go goes going got guy guys had happen happens has have having he help helps her
    here his how however i if in instead into introduce introduced introduces is it its itself just keep
    kind kinds know known like list look main make makes making many may me mean means mention mentioned
    might more most much must my name named need needs new no not now of off on one ones only or other
    others our out over own paper papers part particular people per person place please point present
    presented presents propose proposed proposes proposing provide provided publication really regarding
    report reported reports right said same say says seem seems serve set shall she should show showed shown
    shows since so some somebody someone something sort sorts state stated still stuff study such summary
    take taken takes tell than that the their them then there these they thing things this those through to
    together too tried true try under up upon us use used user uses using various very via want was way ways
    we well went were what when where whether which while who whom whose why will with within without work
    works would wrote yes you your does doesn don isn aren wasn weren didn won hasn haven ain s t re ve ll d
    co-author co-authored coauthor coauthored authored m lot lots thanks thank hello hi hey ok okay bye goodbye cheers
    """.split()
)
"""Folded words that frame a question; never its topic."""

KIND_PATTERNS: Final = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "comparison",
            r"^(?:please )?(?:compare|contrast)\b"
            r"|\b(?:compare|contrast) (?!on\b|at\b|in\b)\S+.* (?:and|with|to|against)\b"
            r"|\b(?:compare|contrast) (?:both|them|these|those|the (?:two|three))\b"
            r"|\bdifferences? between\b|\bhow (?:do|does|is|are) .+? (?:differ|compare|different)\b"
            r"|\b(?:compared?|comparison) (?:of|between)\b|\bin common\b|.+\bvs\.? |.+\bversus\b"
            r"|比较|对比|区别|有何不同|有什么不同|\bvergleich|\bunterschied|\bcompare[zr]\b|\bdifférences?\b|"
            r"\bcompara|\bdiferencia",
        ),
        (
            "list",
            r"\b(?:which|what|list|find|show|any|all|other|are there|"
            r"name)\b(?: \w+){0,3}? (?:papers|articles|publications|abstracts)\b"
            r"|^(?:papers|articles|publications|abstracts) \w+"
            r"|^(?!(?:who|how|why|when|where|do|does|did|is|are|was|were|has|have|can|could|the|these|this|those|of|in|"
            r"more|and|but|so|or|then|summari[sz]e|describe|tell|give|explain|open|read|only|both|thanks?)\b)"
            r"(?:[\w'-]+ ){1,6}(?:papers|articles|publications)[?.!]*$"
            r"|\b(?:which|what|list|any|other) works (?:on|about|that|study|deal|use|address|are|"
            r"propose|in|there|exist)\b"
            r"|\bpapers (?:(?:written|authored|published|co-?authored) )?(?:on|about|that|which|"
            r"using|by|from|dealing|concerning|in|at|with)\b|\b(?:which|what) (?:work|"
            r"research) (?:is there|exists|has been)"
            r"|\b(?:show|list|find|give)(?: me| us)?(?: \w+){0,2} (?:everything|anything|all)\b|"
            r"\b(?:everything|anything) (?:here )?(?:on|about|with|using)\b"
            r"|\bwho (?:works|worked|else works) on\b|^who (?:studies|writes about|builds on|looks at|deals with)\b"
            r"|\bwhat(?:'s| is| has)? (?:there|been done|"
            r"been published|known) (?:on|about|in|with|for|using)\b"
            r"|\b(?:which|what) (?:methods|approaches|techniques|systems|frameworks|algorithms|"
            r"benchmarks|datasets|models)"
            r" (?:are|were|have been|exist)(?: \w+)? ?(?:proposed|introduced|presented|there|"
            r"described|available|covered|here)"
            r"|哪些(?:论文|文章|工作|研究|方法|文献)|"
            r"有(?:没有|哪些).{0,12}(?:论文|研究|工作)|\bwelche (?:arbeiten|artikel|studien)"
            r"|\bquel(?:s|les) (?:articles|travaux|études|papiers)|\b(?:qué|cuáles|"
            r"que) (?:artículos|trabajos|estudios)",
        ),
        (
            "summary",
            r"^(?:please )?(?:summari[sz]e|give (?:me )?(?:an? )?(?:overview|summary)|"
            r"tell me about|describe)\b|\boverview of\b"
            r"|^what (?:is|are) .+ about\b|^what does (?:the )?\S+ (?:paper )?(?:do|propose|"
            r"present)\??$|总结|概述|介绍一下|zusammenfass|résum|resum",
        ),
        (
            "yes_no",
            r"^(?:so |and |but )?(?:do|does|did|is|are|was|were|can|could|has|have|had|will|would|"
            r"should|must)\b(?!n't know)"
            r"|, (?:right|correct|isn't it|doesn't it|is that so)\?*$|^(?:is it|it is) true\b|吗[?？]?$|是否|是不是"
            r"|^(?:ist|sind|hat|kann|wird|gibt)\b|^est-ce que\b|^(?:es|está|tiene|puede)\b",
        ),
    )
)
"""Tried in this order; none: a fact."""

SEVERAL_WORKS: Final = re.compile(
    r"^(?:is|are|was|were) there (?:\w+ )?(?:works?|research|stud(?:y|ies)|papers?|literature|anything|something)\b"
    r"|^(?:does|do|did|has|have|is|are) (?:anyone|anybody|someone|somebody|people)\b(?: here)? (?:stud|look|work|"
    r"tr[iy]|us|propos|address|investigat|consider|deal|analy|tackl|explor)"
    r"|^what (?:has|have) (?:been|people) (?:written|done|published|said|studied|tried) (?:about|on|in|for)\b"
    r"|^who (?:is|are|else is) (?:working|studying|looking)\b"
    r"|^(?:some |any |all |recent |related )*(?:works?|research|literature|studies|anything|everything) (?:on|about|"
    r"with|using|related|concerning|that|around)\b"
    r"|^(?:show|list|find|give|tell|name)(?: me| us)? (?:all |some |any |the |every |of )*(?:works?|research|studies|"
    r"literature)\b"
    r"|^(?:which|what) (?:\w+ )?(?:works?|research|studies|literature|trials|position papers|contributions) "
    r"(?!(?:is|was|does|did) )\w+"
    r"|^(?:which|what) (?:\w+ )?(?:methods|approaches|techniques|systems|frameworks|algorithms|benchmarks|"
    r"data ?sets|models|theories) (?:deal|address|tackle|handle|target|study|speed|use|consider|concern|cover|aim|"
    r"exist|focus|are there|are about|rely|combine|for|on)\b"
    r"|\b(?:what|which) (?:kinds? of |sorts? of )?(?:methods|approaches|techniques|systems|frameworks|algorithms|"
    r"benchmarks) .*(?:are there|exist)\b"
)
"""Asks for works without naming one: a list, unless the question names a paper."""

METADATA_PATTERNS: Final = tuple(
    (field, re.compile(pattern))
    for field, pattern in (
        (
            "count",
            r"\b(?:how many|number of) (?:(?!in |of |the )\w+ )?(?:papers|articles|publications|"
            r"abstracts|documents|studies)\b"
            r"(?! (?:were|are|was|does|did|do) (?:reviewed|used|included|screened|analy))"
            r"|多少篇|几篇|\bwie viele (?:arbeiten|artikel|papers?)|\bcombien d[e'] ?(?:articles|"
            r"papiers)|\bcuántos (?:artículos|trabajos)",
        ),
        (
            "authors",
            r"\bwho (?:wrote|authored|co-?authored|published|(?:first )?(?:proposed|introduced|"
            r"developed|designed|invented|created|presented|built|made))\b"
            r"|\bwho(?!se (?:own|earlier|previous|prior|recent|past|seminal|original|pioneering)\b)"
            r"(?: is| are|'s|se)? (?:the |all )?(?:\w+ )?(?:authors?|writers?|behind|"
            r"creators?|inventors?|researchers?|paper|work)\b|\b(?:authors?|authorship|"
            r"writers) (?:of|for|behind|on)\b"
            r"|\b(?:first|last|senior|lead|second) author\b|\b(?:list|name|give)(?: me)? (?:the |"
            r"all )?authors\b|\bwho are the people\b|\b(?:written|authored|proposed|developed|"
            r"introduced) by whom\b|\bby whom\b"
            r"|\bhow many (?:co-?)?authors\b|\bwho came up with\b|\bwhat (?:is|are|"
            r"were) the (?:names? of the )?authors?\b|\bwhich (?:authors?|researchers|"
            r"people) (?:wrote|proposed|developed|introduced|are|is)\b"
            r"|['’]s (?:co-?)?authors?\b"
            r"|作者|谁(?:写|提出|发表|发明|设计)|\bwer (?:hat|sind die autoren|schrieb)|\bautoren\b|"
            r"\bqui (?:a|ont) (?:écrit|proposé|publié|développé|introduit)|\bauteurs?\b|"
            r"\bquién(?:es)? (?:escribi|propus|public|desarroll)|\bautores\b",
        ),
        (
            "year",
            r"\b(?:what|which) year\b.*\b(?:published|appear|released|presented|come out|came out|"
            r"written|from|paper)|\bwhen (?:was|were|did) .*\b(?:published|publish|presented|"
            r"come out|appear|appeared|written)\b"
            r"|\b(?:year|date) of (?:publication|the paper)\b|\bpublication (?:year|date)\b|"
            r"哪一?年(?:发表|出版|提出)?|何时发表|什么时候发表"
            r"|\bin welchem jahr\b|\bwann wurde .*veröffentlicht|\ben quelle année\b|\b(?:en )?qué año\b",
        ),
        (
            "venue",
            r"\b(?:which|what) (?:conference|venue|journal|proceedings|workshop)\b(?!['’]s| (?:was|were) (?:used|analy|"
            r"stud|compar|examin|drawn|collect))"
            r"|\bwhere (?:was|were|did|is|has) .*\b(?:published|publish|presented|appear|"
            r"appeared)\b|\bvenue (?:of|is)\b"
            r"|发表在(?:哪|什么)|哪个(?:会议|期刊)|什么(?:会议|期刊)|\bauf welcher konferenz|"
            r"\bin welcher zeitschrift|\b(?:quelle conférence|quel journal)|\b(?:qué|"
            r"cuál) (?:conferencia|revista)",
        ),
        (
            "url",
            r"\b(?:link|url|web ?(?:page|address)|openreview(?: link| page)?|address) (?:to|of|"
            r"for) (?:the |this )?(?!code|project|repo|source|demo|dataset)(?:\S+ )*?(?:paper|"
            r"article|publication|abstract|manuscript)\b"
            r"|\bpaper (?:link|url)\b|\bopenreview (?:link|page|url|id|forum)\b|"
            r"\bwhere can i (?:read|find|get|download) (?:the |this )?(?:\S+ )?(?:paper|article|"
            r"pdf)\b|论文(?:链接|地址|网址)",
        ),
        ("doi", r"\bdoi\b"),
        (
            "title",
            r"\b(?:full |exact |complete )?title of (?:the|this|a) (?:\w+ )?(?:paper|article|work|"
            r"publication)\b|\bwhat is (?:the |its )?(?:full |exact )?title\b|"
            r"\bwhat is the paper .*\bcalled\b|\bpaper'?s title\b"
            r"|\b(?:full|exact|complete) title\b|论文(?:的)?(?:标题|题目)|标题是|题目是",
        ),
    )
)
"""A question that the catalogue's own fields answer, and the field."""

AUTHORS_ACT: Final = re.compile(
    r"^(?:how(?! many)|why)\b|\baccording to\b.{0,60}\bauthors?\b|\bauthors?['’] (?!names?\b)"
    r"|^(?:which|what|where|when) (?!authors?\b|are\b|is\b|were\b).*\bauthors? (?:\w+ly )?(?:\w{3,}ed|build|built|"
    r"choose|chose|find|found|argue|claim|use|propose|recommend|report|show|draw|drew|make|made|take|took)\b"
    r"|\b(?:do|did|does|have|has|can|could) (?:the )?(?:\S+['’]s )?(?:co-?)?authors?\b"
)
"""Not who they are is asked, but what they did: "how do the authors of X measure Y?"."""

REQUEST: Final = re.compile(
    r"^(?:(?:hi|hello|hey)[,!.]? )?(?:(?:could|can|would|will) you (?:please )?(?:tell|"
    r"show|explain|give|say|describe)(?: me)?|please tell me|tell me"
    r"|i(?:'d| would) like to know|i want to know|i am wondering|i wonder|do you know|"
    r"according to (?:the )?(?:paper|abstract|authors)s?,?) ",
    re.IGNORECASE,
)
"""Politeness before the question."""

CHINESE_FRAME: Final = re.compile(
    r"多少|论文|文章|文献|几个|几种|什么|哪些|哪个|哪种|哪里|为什么|怎么|如何|是否|是不是|吗|呢|请问|请|比较|对比|区别|谁|的|了|和|与|在|中|上|是|有"
)
"""What is taken out of a Chinese question before its topic is searched."""

_FOREIGN: Final = frozenset(
    """
    der die das dem den des ein eine und auf für wie viele welche welchen welchem wurde wurden wird ist sind
    hat mit von zum beispiel um wieviel wer wo warum senkt gibt enthält quelle quel quelles quels le la les
    du une est sont dans sur pour combien qui où pourquoi comment avec atteint utilise par el los las un una
    en qué que cuántos cuántas cuál quién dónde cómo por se del evalúa evaluó è il che quali quanto quanti
    chi dove perché con nel della o os as um uma qual quais quantos quem onde
    de da di sobre über zu bei nach aus des ces cette este esta esto het een van wie welcher dei degli gli al au aux
    """.split()
)
_OTHER_SCRIPT: Final = re.compile(
    r"[\u0400-\u04ff\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


def is_foreign(text: str) -> bool:
    """Whether a question is not in English: another script, or more of another language's commonest words."""
    if _OTHER_SCRIPT.search(text) or text.lstrip().startswith(("¿", "¡")):
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    strange = sum(word in _FOREIGN for word in words)
    return strange >= 2 and strange > sum(word in FRAME for word in words)
