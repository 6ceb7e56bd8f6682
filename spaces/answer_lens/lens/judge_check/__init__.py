"""How good is a judge?"""
