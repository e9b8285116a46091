"""A question in Spanish, French, German or Chinese, word by word in English, as far as a short list goes.

The abstracts are mostly English, and so is all that is known of how questions ask. What stands here are the words
that ask ("combien de", "wie viele", "多少") and the commonest words of research; names, numbers and the rest stay.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_PHRASES: Final = """
    wie viele=how many|wie viel=how much|wieviel=how much|was ist=what is|was sind=what are
    wofür steht=what does stand for|welche arbeiten=which papers|welche artikel=which papers|gibt es=are there
    im vergleich zu=compared to|laut=according to|um wie viel=by how much|wer hat=who|wer sind=who are
    auf welchem=on which|auf welchen=on which|mit welchem=with which|combien de=how many|combien d'=how many
    qu'est-ce que=what is|qu'est-ce qui=what|qu'est ce que=what is|est-ce que=does|est-il=is it|est-elle=is it
    sont-ils=are they|y a-t-il=are there|par rapport à=compared to|de combien=by how much
    quels articles=which papers|quels travaux=which papers|à quoi sert=what does do|sur quel=on which
    sur quels=on which|jeux de données=datasets|jeu de données=dataset|données=data
    taux d'apprentissage=learning rate|code source=source code|apprentissage automatique=machine learning
    apprentissage par renforcement=reinforcement learning|cuántos artículos=how many papers
    qué artículos=which papers|qué es=what is|qué son=what are|por qué=why|qué hace=what does
    en cuántos=on how many|en cuántas=on how many|cuántas veces=how many times|conjunto de datos=dataset
    código fuente=source code|conjuntos de datos=datasets|aprendizaje por refuerzo=reinforcement learning
    aprendizaje automático=machine learning|en qué=on which|con qué=with which|en comparación con=compared to
    redes neuronales=neural networks|red neuronal=neural network|réseaux de neurones=neural networks
    neuronale netze=neural networks|maschinelles lernen=machine learning
"""
_WORDS: Final = """
    wie=how|warum=why|weshalb=why|wann=when|wo=where|wer=who|was=what|welche=which|welcher=which|welches=which
    welchen=which|welchem=which|und=and|oder=or|mit=with|ohne=without|auf=on|für=for|von=of|bei=at|aus=from
    zu=to|über=about|durch=by|nach=after|der=the|die=the|das=the|den=the|dem=the|des=the|ein=a|eine=a|einen=a
    einem=a|einer=a|ist=is|sind=are|wird=is|werden=are|wurde=was|wurden=were|hat=has|haben=have|kann=can
    nicht=not|im=in|am=at|zum=to|zur=to|es=it|sich=itself|nur=only|mehr=more|als=than|schneller=faster
    besser=better|genauigkeit=accuracy|datensatz=dataset|datensätze=datasets|datensätzen=datasets|daten=data
    aufgaben=tasks|aufgabe=task|verfahren=method|methode=method|methoden=methods|modell=model|modelle=models
    modellen=models|fehler=error|problem=problem|ergebnis=result|ergebnisse=results|ansatz=approach
    erreicht=reach|senkt=reduces|verringert=reduces|reduziert=reduces|verbessert=improves|erhöht=increases
    steigert=increases|verwendet=uses|nutzt=uses|benutzt=uses|getestet=tested|evaluiert=evaluated
    trainiert=trained|übertrifft=outperforms|gezeigt=demonstrated|zeigt=shows|herausforderungen=challenges
    herausforderung=challenge|anwendungsfall=use case|anwendung=application|beispiele=examples
    patienten=patients|mäuse=mice|krebs=cancer|zellen=cells|studie=study|risiko=risk|behandlung=treatment
    wirkung=effect|schritte=steps|stufen=stages|sprachen=languages|sprachmodelle=language models
    parameter=parameters|zwei=two|drei=three|grenze=bound|schranke=bound|kosten=cost|zeit=time|speicher=memory
    leistung=performance|schlägt=proposes|berechnet=computes|combien=how many|pourquoi=why|comment=how
    quand=when|où=where|qui=who|quel=which|quelle=which|quels=which|quelles=which|que=what|quoi=what|et=and
    ou=or|avec=with|sans=without|sur=on|pour=for|par=by|dans=in|chez=in|entre=between|le=the|la=the|les=the
    l'=the |un=a|une=a|du=of the|de=of|d'=of |est=is|sont=are|été=been|ont=have|a=has|peut=can|pas=not|plus=more
    il=it|elle=it|rapide=fast|précision=accuracy|exactitude=accuracy|tâches=tasks|tâche=task|méthode=method
    méthodes=methods|modèle=model|modèles=models|erreur=error|problème=problem|résultat=result|résultats=results
    approche=approach|atteint=reach|réduit=reduces|améliore=improves|augmente=increases|utilise=uses
    utilisé=used|utilisés=used|testé=tested|évalué=evaluated|évaluée=evaluated|évalués=evaluated
    entraîné=trained|dépasse=outperforms|surpasse=outperforms|montre=shows|propose=proposes|défis=challenges
    défi=challenge|cas=cases|souris=mice|cellules=cells|étude=study|risque=risk|traitement=treatment
    effet=effect|étapes=steps|langues=languages|paramètres=parameters|deux=two|trois=three|borne=bound|coût=cost
    temps=time|mémoire=memory|sein=breast|cancer=cancer|invasif=invasive|invasifs=invasive|identifiés=identified
    identifié=identified|déclenche=triggers|empêche=prevents|calcule=computes|auteurs=authors|auteur=author
    échantillons=samples|patientes=patients|femmes=women|cuánto=how much|cuánta=how much|cuántos=how many
    cuántas=how many|cuál=which|cuáles=which|qué=what|quién=who|quiénes=who|cómo=how|cuándo=when|dónde=where
    y=and|o=or|con=with|sin=without|en=in|para=for|por=by|entre=between|el=the|los=the|las=the|lo=it|una=a
    unos=some|del=of the|al=to the|es=is|son=are|fue=was|fueron=were|ha=has|han=have|puede=can|no=not|más=more
    se=is|rápido=fast|exactitud=accuracy|tareas=tasks|tarea=task|método=method|métodos=methods|modelo=model
    modelos=models|datos=data|errores=errors|problema=problem|resultado=result|resultados=results
    enfoque=approach|alcanza=reach|logra=reach|reduce=reduces|mejora=improves|aumenta=increases|usa=uses
    utiliza=uses|usado=used|probado=tested|probó=tested|evaluó=evaluated|evaluado=evaluated|evalúa=evaluated
    entrenado=trained|supera=outperforms|muestra=shows|propone=proposes|define=defines|desafíos=challenges
    casos=cases|ratones=mice|células=cells|estudio=study|riesgo=risk|tratamiento=treatment|efecto=effect
    pasos=steps|etapas=stages|idiomas=languages|parámetros=parameters|dos=two|tres=three|cota=bound|límite=limit
    costo=cost|coste=cost|tiempo=time|memoria=memory|detección=detection|muestras=samples|asignaturas=subjects
    cubre=cover|pacientes=patients|autores=authors|autor=author|mujeres=women|mama=breast|cáncer=cancer
    homocisteína=homocysteine|contiene=contains|evita=avoids
"""
_CHINESE: Final = """
    多少篇论文=how many papers|哪些论文=which papers|哪些文章=which papers|什么是=what is|是什么=what is
    多少倍=how many times|多少个=how many|多少=how many|几个=how many|哪些=which|哪个=which|哪种=which
    什么=what|为什么=why|如何=how|怎么=how|怎样=how|谁=who|何时=when|数据集=datasets|基准=benchmarks
    任务=tasks|准确率=accuracy|精度=accuracy|方法=method|模型=model|大语言模型=large language models
    扩散模型=diffusion models|图像描述=image caption|图像=image|视频=video|文本=text|减少=reduce|降低=reduce
    提高=improve|提升=improve|加速=speedup|超过=outperform|优于=outperform|使用=use|提出=propose|验证=validated
    评估=evaluated|测试=tested|训练=trained|推理=inference|参数=parameters|问题=problem|挑战=challenges
    结果=results|误差=error|样本=samples|代码=code|步骤=steps|标准=standard|患者=patients|小鼠=mice|细胞=cells
    癌症=cancer|风险=risk|治疗=treatment|强化学习=reinforcement learning|神经网络=neural networks
    图神经网络=graph neural networks|重新表述=reformulates|定义=define|比=than|与=and|和=and|在=on|上=|的=
    吗=|呢=|了=
"""


@cache
def _table(pairs: str) -> dict[str, str]:
    lines = (line.strip() for line in pairs.split("\n"))
    return {w: e for w, _, e in (pair.partition("=") for line in lines for pair in line.split("|")) if w}


@cache
def _pattern(pairs: str, bounded: bool) -> re.Pattern[str]:
    words = sorted(_table(pairs), key=len, reverse=True)
    either = "|".join(map(re.escape, words))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])|(?<![\w-])(?:[ld]['’])" if bounded else either, re.IGNORECASE)


_COMPOUND: Final = re.compile(r"(?<=\w)-(?=[A-ZÄÖÜ][a-zäöüß]{3,})")
"""German writes "der MFM-Sampler": two words, of which one is the name."""


def glossed(text: str) -> str:
    """The question with its known foreign words in English, in its own order of words."""
    text = _COMPOUND.sub(" ", unicodedata.normalize("NFC", text).lstrip(" ¿¡"))
    for pairs in (_PHRASES, _WORDS):
        text = _pattern(pairs, True).sub(lambda found, pairs=pairs: _english(found[0], pairs), text)  # type: ignore[misc]
    text = _pattern(_CHINESE, False).sub(lambda found: f" {_table(_CHINESE)[found[0]]} ", text)
    return " ".join(text.split())


def _english(word: str, pairs: str) -> str:
    return _table(pairs).get(word.lower().replace("’", "'"), "the " if word[-1] in "'’" else word)
